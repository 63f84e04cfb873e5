import type { JsToken } from './lexer.ts';
import { type Scopes, type Signs, scopesOf } from './scopes.ts';

const ASSIGNS = /^(?:[+\-*/%&|^]|<<|>>>?|\|\||&&|\?\?)?=$|^(?:\+\+|--)$/;
const CONSTANT_CHARS_MAX = 4_000;
const ITEMS_MAX = 400;
/** Names of what a page offers: a script may give one of them a text without its being a constant. */
const OUTSIDE = /^(?:name|status|location|title|self|top|parent|length)$/;

type Constant = JsToken | readonly JsToken[];

/**
 * Puts texts in place of the variables that hold nothing else: what a script gives a name once is that text wherever the name
 * is read. So it goes with lists of texts and their items.
 */
export function withConstants(tokens: readonly JsToken[], signs: Signs): readonly JsToken[] {
  const names = namesOfTexts(tokens, signs);
  if (names.size === 0) return tokens;
  const scopes = scopesOf(tokens, signs, names);
  const constants = constantsOf(tokens, scopes);
  if (constants.size === 0) return tokens;
  const replaced: JsToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as JsToken;
    const variable = scopes.variableOf[at] as number;
    const constant = variable < 0 ? undefined : constants.get(variable);
    if (constant === undefined) {
      replaced.push(token);
      continue;
    }
    const next = tokens[at + 1]?.text ?? '';
    if (ASSIGNS.test(next) || next === ':' || next === '=>') replaced.push(token);
    else if (!Array.isArray(constant)) replaced.push({ ...(constant as JsToken), at: token.at });
    else {
      const index = tokens[at + 2];
      const item = constant[Number(index?.text)] as JsToken | undefined;
      if (next !== '[' || index?.kind !== 'number' || tokens[at + 3]?.text !== ']' || !item)
        replaced.push(token);
      else {
        replaced.push({ ...item, at: token.at });
        at += 3;
      }
    }
  }
  return replaced;
}

/** Names that are given a text, or a list, anywhere: no other can be a constant. */
function namesOfTexts(tokens: readonly JsToken[], { targets }: Signs): ReadonlySet<string> {
  const names = new Set<string>();
  for (const at of targets) {
    const value = tokens[at + 2];
    if (value?.kind === 'string' || value?.text === '[') names.add(tokens[at]?.text ?? '');
  }
  return names;
}

function constantsOf(tokens: readonly JsToken[], scopes: Scopes): ReadonlyMap<number, Constant> {
  const { variableOf, closing, scopeOf, functions } = scopes;
  const constants = new Map<number, Constant>();
  const changed = new Set<number>();
  for (let at = 0; at < tokens.length; at++) {
    const variable = variableOf[at] as number;
    if (variable < 0) continue;
    const before = tokens[at - 1]?.text ?? '';
    if (before === '.' || before === '?.') continue;
    const next = tokens[at + 1]?.text ?? '';
    const start = functions[scopeOf[at] as number]?.start ?? 0;
    const isParameter = scopeOf[at] !== 0 && at >= start && at <= Math.max(start, closing[start] as number);
    if (isParameter || next === 'in' || next === 'of' || before === '++' || before === '--') {
      changed.add(variable);
      continue;
    }
    if (!ASSIGNS.test(next) || tokens[at + 1]?.kind !== 'sign') continue;
    const constant =
      next === '=' && !constants.has(variable) && !OUTSIDE.test(tokens[at]?.text ?? '')
        ? constantAt(tokens, closing, at + 2)
        : undefined;
    if (constant) constants.set(variable, constant);
    else changed.add(variable);
  }
  for (const variable of changed) constants.delete(variable);
  return constants;
}

function constantAt(tokens: readonly JsToken[], closing: Int32Array, start: number): Constant | undefined {
  const first = tokens[start] as JsToken | undefined;
  const isText = first?.kind === 'string' && first.text.length <= CONSTANT_CHARS_MAX;
  if (isText) return endsText(tokens, start + 1) ? first : undefined;
  if (first?.text !== '[' || first.kind !== 'sign') return undefined;
  const end = closing[start] as number;
  if (end - start > ITEMS_MAX * 2 || !endsText(tokens, end + 1)) return undefined;
  const items: JsToken[] = [];
  for (let at = start + 1; at < end; at += 2) {
    const item = tokens[at] as JsToken;
    if (item.kind !== 'string' || (at + 1 < end && tokens[at + 1]?.text !== ',')) return undefined;
    items.push(item);
  }
  return items.length > 0 ? items : undefined;
}

/** Whether a value ends before a token: nothing is added to it. */
const endsText = (tokens: readonly JsToken[], at: number): boolean => {
  const token = tokens[at];
  return token === undefined || token.kind === 'name' || ';,)}'.includes(token.text);
};
