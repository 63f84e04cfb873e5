import { argumentVariable } from './arguments.ts';
import { isDangerousName } from './functions.ts';
import type { Parameter } from './runs.ts';
import { readStatement } from './statements.ts';
import { from, originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const isKnown = ({ text, items }: Value): boolean =>
  text !== undefined || (items !== undefined && [...items.values()].every((item) => item.text !== undefined));

/** Longest body that is gone through for a call. */
const BODY_TOKENS_MAX = 1_500;
/** What a call takes from the steps besides its body. */
const CALL_STEPS = 20;

/**
 * Goes through a function of the file's own as it is called here: when every argument is known, or one names a function that
 * can do harm. Undefined when what it returns cannot be told that way.
 */
export function runOwn(walk: Walk, name: string, args: readonly Value[]): Value | undefined {
  const { runs } = walk;
  const body = runs.bodies.get(name);
  // Constructors all have the same name, and the class may be another one.
  if (body === undefined || name === '__construct' || !walk.reporting || !runs.isWanted) return undefined;
  if (
    !args.every(isKnown) &&
    !args.some(({ text }) => text !== undefined && isDangerousName(text.toLowerCase()))
  )
    return undefined;
  const start = runs.startOf(body);
  if (start === undefined) return undefined;
  const tokens = runs.closing(start) - start;
  if (tokens > BODY_TOKENS_MAX || !runs.spend(tokens + CALL_STEPS) || !runs.enter()) return undefined;
  const { position, variables, scope, current, branches, guards, statementAt, argumentsAt } = walk;
  const { leaving } = runs;
  runs.begin();
  walk.variables = new Map();
  for (const [index, { name: parameter, otherwise }] of body.parameters.entries())
    walk.variables.set(parameter, args[index] ?? otherwise ?? UNKNOWN);
  walk.scope = `${scope}/${name}`;
  walk.current = undefined;
  walk.branches = 0;
  walk.position = start;
  readStatement(walk);
  const { returned, isUnknown } = runs.result();
  const inside = walk.variables;
  runs.leave();
  Object.assign(walk, { position, variables, scope, current, branches, guards, statementAt, argumentsAt });
  runs.leaving = leaving;
  if (!isUnknown) giveBack(walk, body.parameters, inside);
  return returned?.text === undefined && returned?.items === undefined ? undefined : returned;
}

/** Sets the variables that stood for parameters which the function may change. */
function giveBack(walk: Walk, parameters: readonly Parameter[], inside: ReadonlyMap<string, Value>): void {
  for (const [position, { name, isReference }] of parameters.entries()) {
    const variable = isReference ? argumentVariable(walk, position) : undefined;
    const value = inside.get(name);
    if (variable !== undefined && value !== undefined)
      walk.assign(variable, value.text === undefined ? from(originsOf(value)) : value);
  }
}
