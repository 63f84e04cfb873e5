import type { JsToken } from './lexer.ts';

/** Calls of one chain that are followed. */
const CALLS_MAX = 24;
const CHARS_MAX = 64 * 1024;
/** Patterns that are plain characters or one class of them: what they match is told without running them. */
const PLAIN_PATTERN = /^(?:[\w#@!%&~ ,:;=<>"'-]|\\[^\w\s])+$/;
const CLASS_PATTERN = /^\[([\w#@!$%&*~ ,.:;=+]{1,80})\]\+?$/;

interface Chained {
  readonly text: string;
  readonly next: number;
  /** Whether a call changed the text. */
  readonly isChanged: boolean;
  /** Whether it was turned round, or all of some characters replaced. */
  readonly isTurned: boolean;
}

interface Call {
  readonly name: string;
  readonly given: readonly JsToken[];
  readonly next: number;
}

/** Follows calls of methods behind a text that is known: split, reverse, join, replace and parts of it. */
export function followChain(tokens: readonly JsToken[], start: number, text: string): Chained {
  let value: string | readonly string[] = text;
  let known: Chained = { text, next: start, isChanged: false, isTurned: false };
  if (text.length > CHARS_MAX) return known;
  let at = start;
  let isTurned = false;
  for (let calls = 0; calls < CALLS_MAX; calls++) {
    const call = callAt(tokens, at);
    if (call === undefined) break;
    const result: string | readonly string[] | undefined =
      typeof value === 'string' ? ofText(value, call) : ofList(value, call);
    if (result === undefined || result.length > CHARS_MAX) break;
    value = result;
    at = call.next;
    isTurned ||= call.name === 'reverse' || call.name.startsWith('replace') || call.name === 'join';
    if (typeof value === 'string') known = { text: value, next: at, isChanged: value !== text, isTurned };
  }
  return known;
}

const ARGUMENTS_MAX = 2;

function callAt(tokens: readonly JsToken[], at: number): Call | undefined {
  let name = tokens[at + 1];
  let open = at + 2;
  if (tokens[at]?.text === '[' && name?.kind === 'string' && tokens[at + 2]?.text === ']') open = at + 3;
  else if (tokens[at]?.text !== '.' || name?.kind !== 'name') name = undefined;
  if (name === undefined || tokens[open]?.text !== '(') return undefined;
  const given: JsToken[] = [];
  let end = open + 1;
  while (given.length < ARGUMENTS_MAX && tokens[end] && tokens[end]?.text !== ')') {
    given.push(tokens[end] as JsToken);
    // The flags of a pattern stand behind it.
    if (tokens[end]?.kind === 'regex' && tokens[end + 1]?.kind === 'name') end++;
    end += tokens[end + 1]?.text === ',' ? 2 : 1;
  }
  return tokens[end]?.text === ')' && tokens[end]?.kind === 'sign'
    ? { name: name.text, given, next: end + 1 }
    : undefined;
}

function ofText(text: string, { name, given }: Call): string | readonly string[] | undefined {
  const [first, second] = given;
  if (name === 'split' && first) {
    const by = searched(first);
    return by === undefined ? undefined : text.split(by);
  }
  if (name === 'replace' || name === 'replaceAll') {
    if (!first || (second?.kind !== 'string' && second?.kind !== 'template')) return undefined;
    const by = searched(first);
    if (by === undefined || second.text.includes('$')) return undefined;
    return first.kind === 'regex' || name === 'replaceAll'
      ? text.replaceAll(by instanceof RegExp ? by : new RegExp(escaped(by), 'g'), second.text)
      : text.replace(by, second.text);
  }
  if (name === 'concat' && given.every(({ kind }) => kind === 'string'))
    return text + given.map(({ text: more }) => more).join('');
  const [from, to] = given.map((token) => Number(token.text));
  if (from === undefined || given.some(({ kind }) => kind !== 'number')) return undefined;
  if (name === 'substring' || name === 'slice') return text.slice(from, to);
  return name === 'substr' ? text.slice(from, to === undefined ? undefined : from + to) : undefined;
}

function ofList(list: readonly string[], { name, given }: Call): string | readonly string[] | undefined {
  if (name === 'reverse') return list.toReversed();
  const by = given[0];
  return name === 'join' && (by === undefined || by.kind === 'string')
    ? list.join(by?.text ?? ',')
    : undefined;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** What a call searches for, where that is plain. */
function searched({ kind, text }: JsToken): string | RegExp | undefined {
  if (kind === 'string') return text;
  if (kind !== 'regex') return undefined;
  if (PLAIN_PATTERN.test(text)) return new RegExp(text, 'g');
  const [, inside] = CLASS_PATTERN.exec(text) ?? [];
  return inside === undefined ? undefined : new RegExp(`[${inside}]`, 'g');
}
