import { ORIGIN, positionOf } from '../origin.ts';
import { readExpression } from './expressions.ts';
import { hookedPosition, passwordPositions } from './passwords.ts';
import { readNested } from './statements.ts';
import type { FunctionSummary } from './summary.ts';
import { constant, from, UNKNOWN, type Value, withoutPositions } from './value.ts';
import type { Walk } from './walk.ts';

/** Reads a function from its name, or from its keyword if it is anonymous, to its end, and stores its summary under its name. */
export function readFunction(walk: Walk, name: string): Value {
  // A closure gets a unique name, which is also its value.
  const known = name === '' ? `{closure ${walk.position}}` : name;
  if (name !== '') walk.position++;
  else walk.accept('&');
  const parameters = readParameters(walk);
  const summary = walk.functions.get(known) ?? newSummary();
  walk.functions.set(known, summary);
  const captured = readCaptured(walk);
  while (
    walk.token !== undefined &&
    !walk.isOperator('{') &&
    !walk.isOperator(';') &&
    !walk.isOperator('=>')
  ) {
    walk.position++;
  }

  const { variables, scope, current, branches, guards, passwordBits } = walk;
  // Arrow functions inherit the variables of the enclosing scope.
  const isArrow = walk.isOperator('=>') && variables.size <= INHERITED_MAX;
  walk.passwordBits = passwordPositions(parameters) | hookedPosition(walk, known);
  walk.branches = 0;
  walk.guards = new Set();
  walk.variables = isArrow ? new Map(variables) : new Map<string, Value>();
  walk.scope = `${scope}/${known}`;
  walk.current = summary;
  for (const [position, parameter] of parameters.entries()) {
    walk.variables.set(parameter, from(ORIGIN.parameter | positionOf(position)));
  }
  for (const variable of captured)
    walk.variables.set(variable, withoutPositions(variables.get(variable) ?? UNKNOWN));
  if (walk.accept('{')) readNested(walk);
  else if (walk.accept('=>')) readExpression(walk, 4);
  walk.variables = variables;
  walk.scope = scope;
  walk.current = current;
  walk.branches = branches;
  walk.guards = guards;
  walk.passwordBits = passwordBits;
  return name === '' ? constant(known) : UNKNOWN;
}

/** Maximum number of variables copied into an arrow function. */
const INHERITED_MAX = 60;

const newSummary = (): FunctionSummary => ({
  reaches: new Map(),
  reachesWhole: new Set(),
  stores: new Map(),
  readsCaller: false,
  guards: new Set(),
  returns: 0,
});

/** The names of parameters. */
function readParameters(walk: Walk): string[] {
  const read: string[] = [];
  if (!walk.accept('(')) return read;
  while (walk.token !== undefined && !walk.isOperator(')')) {
    const start = walk.position;
    if (walk.token.kind === 'variable') {
      read.push(walk.token.text);
      walk.position++;
    } else if (walk.accept('=')) readExpression(walk, 4);
    if (walk.position === start) walk.position++;
  }
  walk.accept(')');
  return read;
}

function readCaptured(walk: Walk): string[] {
  if (!walk.isName('use')) return [];
  walk.position++;
  return readParameters(walk);
}
