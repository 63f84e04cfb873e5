import type { JsToken } from './lexer.ts';

/** What stands where: brackets, functions and the names that they declare. */
export interface Scopes {
  /** For every opening bracket the index of its closing one, or the last index; 0 for other tokens. */
  readonly closing: Int32Array;
  /** The innermost function of every token, by its number; 0 is the script. */
  readonly scopeOf: Int32Array;
  /** The variable that a name stands for, by its number; -1 for what is no name. Properties have one number for each name. */
  readonly variableOf: Int32Array;
  /** Every variable is lower than this number. */
  readonly variables: number;
  readonly functions: readonly JsFunction[];
}

/** A function of a script. */
export interface JsFunction {
  /** The function that it stands in. */
  readonly parent: number;
  /** Where its list of parameters begins, and its last token. */
  readonly start: number;
  readonly end: number;
  /** Where its name stands, -1 without one. */
  readonly nameAt: number;
}

/** 1 for what opens, -1 for what closes, by the first character of a sign: no longer one begins so. */
export const BRACKETS = new Int8Array(128);
for (const sign of '([{') BRACKETS[sign.charCodeAt(0)] = 1;
for (const sign of ')]}') BRACKETS[sign.charCodeAt(0)] = -1;
const [PARENTHESIS, PLUS, SEMICOLON, EQUALS] = [40, 43, 59, 61];
const DECLARES = new Set(['var', 'let', 'const']);
/** Words before a parenthesis that open no list of parameters. */
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'return', 'typeof', 'await']);
const STATEMENT = new Set(['var', 'let', 'const', 'return', 'if', 'for', 'while', 'switch', 'else', 'throw']);
/** Functions around a name that are searched for its declaration. */
const LEVELS_MAX = 24;
/** Tokens of an expression that are looked at. */
const EXPRESSION_TOKENS_MAX = 160;

/** Where signs stand that tell of the others. */
export interface Signs {
  /** As in {@link Scopes}. */
  readonly closing: Int32Array;
  /** Where arrows stand, in their order. */
  readonly arrows: readonly number[];
  /** What is assigned to, added to or pushed to: where the last token of each stands, in their order. */
  readonly targets: readonly number[];
}

/** Looks for brackets, arrows and what is assigned to. */
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

/** Where an expression ends that begins at a token: the first one that is no part of it. */
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

/** The function whose parameters begin at a token, if some do. */
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

/** Tells for every token in which function it stands, and for every name which variable it is. Linear. */
export function scopesOf(tokens: readonly JsToken[], { closing, arrows }: Signs): Scopes {
  const scopeOf = new Int32Array(tokens.length);
  const functions: JsFunction[] = [{ parent: 0, start: 0, end: tokens.length - 1, nameAt: -1 }];
  const declared: Set<string>[] = [new Set()];
  const open = [0];
  let scope = 0;
  let scopeEnd = tokens.length - 1;
  /** Brackets in which a declaration goes on, by how deep they are. */
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
  /** What each name stands for in each function. */
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
