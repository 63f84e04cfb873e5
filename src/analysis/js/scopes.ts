import type { JsToken } from './lexer.ts';

/** The structure of a script: brackets, functions and variables. */
export interface Scopes {
  /** Index of the closing bracket for each opening one, or the last index; 0 for other tokens. */
  readonly closing: Int32Array;
  /** Number of the innermost function of each token; 0 = the script. */
  readonly scopeOf: Int32Array;
  /** Number of the variable for each name, -1 for other tokens. Properties with the same name share one number. */
  readonly variableOf: Int32Array;
  /** Number of variables. */
  readonly variables: number;
  readonly functions: readonly JsFunction[];
}

/** A function of a script. */
export interface JsFunction {
  /** Number of the enclosing function. */
  readonly parent: number;
  /** Index of its parameter list, and of its last token. */
  readonly start: number;
  readonly end: number;
  /** Index of its name, -1 if anonymous. */
  readonly nameAt: number;
}

/** 1 for opening and -1 for closing brackets, by character code. */
export const BRACKETS = new Int8Array(128);
for (const sign of '([{') BRACKETS[sign.charCodeAt(0)] = 1;
for (const sign of ')]}') BRACKETS[sign.charCodeAt(0)] = -1;
const [PARENTHESIS, PLUS, SEMICOLON, EQUALS] = [40, 43, 59, 61];
const DECLARES = new Set(['var', 'let', 'const']);
/** Words before a parenthesis that is not a parameter list. */
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'return', 'typeof', 'await']);
const STATEMENT = new Set(['var', 'let', 'const', 'return', 'if', 'for', 'while', 'switch', 'else', 'throw']);
/** Maximum number of enclosing functions searched for a declaration. */
const LEVELS_MAX = 24;
/** Maximum number of tokens in an expression. */
const EXPRESSION_TOKENS_MAX = 160;

/** Indices of structural signs. */
export interface Signs {
  /** As in {@link Scopes}. */
  readonly closing: Int32Array;
  /** Indices of arrows, ascending. */
  readonly arrows: readonly number[];
  /** Indices of the last token of each target of `=`, `+=` or `push`, ascending. */
  readonly targets: readonly number[];
}

/** Finds brackets, arrows and assignment targets. */
export function signsOf(tokens: readonly JsToken[]): Signs {
  const closing = new Int32Array(tokens.length);
  const open: number[] = [];
  const arrows: number[] = [];
  const targets: number[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind === 'name') continue;
    const code = text.charCodeAt(0);
    if (code === EQUALS) {
      if (text === '=>') arrows.push(at);
      else if (text === '=') targets.push(at - 1);
    } else if (code === PLUS) {
      if (text === '+=') targets.push(at - 1);
    } else if (code === PARENTHESIS && tokens[at - 1]?.text === 'push') targets.push(at - 3);
    if (kind !== 'sign') continue;
    const bracket = BRACKETS[code];
    if (bracket === 1) open.push(at);
    else if (bracket === -1) {
      const opened = open.pop();
      if (opened !== undefined) closing[opened] = at;
    }
  }
  for (const opened of open) closing[opened] = tokens.length - 1;
  return { closing, arrows, targets };
}

/** Index of the first token after the expression at `start`. */
export function expressionEnd(tokens: readonly JsToken[], closing: Int32Array, start: number): number {
  const limit = Math.min(tokens.length, start + EXPRESSION_TOKENS_MAX);
  let at = start;
  while (at < limit) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind === 'name' && STATEMENT.has(text)) break;
    if (kind === 'sign') {
      const bracket = BRACKETS[text.charCodeAt(0)];
      if (bracket === -1 || text === ';' || text === ',' || text === '=') break;
      if (bracket === 1) at = closing[at] as number;
    }
    at++;
  }
  return Math.min(at, tokens.length);
}

/** The function whose parameters begin at a token, if any. */
function functionAt(
  tokens: readonly JsToken[],
  closing: Int32Array,
  at: number,
  parent: number,
): JsFunction | undefined {
  const { kind, text } = tokens[at] as JsToken;
  const isAlone = kind === 'name' && tokens[at + 1]?.text === '=>';
  if (!isAlone && (kind !== 'sign' || text !== '(')) return undefined;
  const close = isAlone ? at : (closing[at] as number);
  const before = tokens[at - 1];
  const isNamed = before?.kind === 'name' && tokens[at - 2]?.text === 'function';
  const isFunction = isNamed || before?.text === 'function';
  const isArrow = tokens[close + 1]?.text === '=>';
  const isMethod =
    before?.kind === 'name' && !CONTROL.has(before.text) && tokens[close + 1]?.text === '{' && !isFunction;
  if (!isFunction && !isArrow && !isMethod) return undefined;
  const body = close + (isArrow ? 2 : 1);
  const end =
    tokens[body]?.text === '{' ? (closing[body] as number) : expressionEnd(tokens, closing, body) - 1;
  const start = isFunction && !isNamed ? at - 1 : at;
  const isGiven = tokens[start - 1]?.text === '=' || tokens[start - 1]?.text === ':';
  const nameAt = isNamed || isMethod ? at - 1 : isGiven ? start - 2 : -1;
  return { parent, start: at, end: Math.max(end, at), nameAt };
}

/** Determines the function of each token and the variable of each name. Linear. */
export function scopesOf(tokens: readonly JsToken[], { closing, arrows }: Signs): Scopes {
  const scopeOf = new Int32Array(tokens.length);
  const functions: JsFunction[] = [{ parent: 0, start: 0, end: tokens.length - 1, nameAt: -1 }];
  const declared: Set<string>[] = [new Set()];
  const open = [0];
  let scope = 0;
  let scopeEnd = tokens.length - 1;
  /** Whether a declaration continues, by bracket depth. */
  const declaring: boolean[] = [];
  let depth = 0;
  let parametersUntil = -1;
  let declaresAt = -1;
  let arrow = 0;
  let text = '';
  for (let at = 0; at < tokens.length; at++) {
    while (open.length > 1 && at > scopeEnd) {
      open.pop();
      scope = open[open.length - 1] as number;
      scopeEnd = functions[scope]?.end ?? 0;
    }
    const before = text;
    const token = tokens[at] as JsToken;
    text = token.text;
    const isSign = token.kind === 'sign';
    const code = isSign ? text.charCodeAt(0) : 0;
    if (arrow < arrows.length && (arrows[arrow] as number) <= at) arrow++;
    const mayBeFunction = isSign ? code === PARENTHESIS : arrows[arrow] === at + 1;
    const found = mayBeFunction ? functionAt(tokens, closing, at, scope) : undefined;
    if (found) {
      if (tokens[found.nameAt - 1]?.text === 'function')
        declared[scope]?.add(tokens[found.nameAt]?.text ?? '');
      scope = functions.length;
      scopeEnd = found.end;
      open.push(scope);
      functions.push(found);
      declared.push(new Set());
      parametersUntil = isSign ? (closing[at] as number) : at;
    }
    scopeOf[at] = scope;
    if (isSign) {
      const bracket = BRACKETS[code];
      if (bracket === 1) declaring[++depth] = false;
      else if (bracket === -1) depth = depth > 0 ? depth - 1 : 0;
      else if (code === SEMICOLON) declaring[depth] = false;
      continue;
    }
    if (token.kind !== 'name') continue;
    const isFirst = declaresAt === at - 1;
    if (DECLARES.has(text)) {
      declaring[depth] = true;
      declaresAt = at;
    }
    const isListed = isFirst || (declaring[depth] === true && before === ',');
    const isParameter = at <= parametersUntil && (before === '(' || before === ',' || at === parametersUntil);
    if (isListed || isParameter) declared[scope]?.add(text);
  }
  return { closing, scopeOf, functions, ...variablesOf(tokens, scopeOf, functions, declared) };
}

function variablesOf(
  tokens: readonly JsToken[],
  scopeOf: Int32Array,
  functions: readonly JsFunction[],
  declared: readonly ReadonlySet<string>[],
): Pick<Scopes, 'variableOf' | 'variables'> {
  const variableOf = new Int32Array(tokens.length).fill(-1);
  /** Variable numbers by function and name. */
  const known = functions.map(() => new Map<string, number>());
  const properties = new Map<string, number>();
  let variables = 0;
  const declaringScope = (text: string, from: number): number => {
    let scope = from;
    for (let level = 0; scope !== 0 && !declared[scope]?.has(text); level++)
      scope = level < LEVELS_MAX ? (functions[scope]?.parent ?? 0) : 0;
    return scope;
  };
  let text = '';
  for (let at = 0; at < tokens.length; at++) {
    const before = text;
    const token = tokens[at] as JsToken;
    text = token.text;
    if (token.kind !== 'name') continue;
    const isProperty = before === '.' || before === '?.' || (tokens[at + 1]?.text === ':' && before !== '?');
    const scope = scopeOf[at] as number;
    const names = isProperty ? properties : (known[scope] as Map<string, number>);
    let number = names.get(text);
    if (number === undefined) {
      const ofOwner = isProperty ? properties : (known[declaringScope(text, scope)] as Map<string, number>);
      number = ofOwner.get(text) ?? variables++;
      ofOwner.set(text, number);
      names.set(text, number);
    }
    variableOf[at] = number;
  }
  return { variableOf, variables };
}
