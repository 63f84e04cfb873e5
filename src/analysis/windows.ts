import type { AnalysisRequest } from './analysis.ts';
import { isLong, WINDOW_CHARS } from './contents.ts';
import { lexJs } from './js/lexer.ts';
import { lexPhp } from './php/lexer.ts';
import { lineCounter, newlinesIn } from './place.ts';

/** What two windows that follow each other share, so that nothing falls between them. */
const OVERLAP_CHARS = 8 * 1024;
/** The beginning of a statement that a window repeats, where it begins inside of a long text. */
const HEAD_CHARS_MAX = 1_024;
const PHP_TAG = /<\?(?:php\b|=|\s)/i;
const PAGE = /^\s*(?:<!doctype|<html|<head|<body|<script|<div|<!--|<meta)/i;
const PHP = '<?php ';
const SCRIPT = '<script>';
/** What follows is markup, whatever it begins with. */
const MARKUP = '<!---->';
const TEXT_START = /<<<[^\n]{1,80}\n|["'`]/y;

/** Where a window may begin, and what has to stand before it so that it is read as what it is. */
interface Place {
  readonly at: number;
  readonly opening: string;
}

interface Token {
  readonly kind: string;
  readonly text: string;
  readonly at: number;
}

interface Places {
  /** In their order. */
  readonly good: readonly Place[];
  /** One that is not good, where no good one is near. */
  at(offset: number): Place;
}

/**
 * Cuts a content into windows that are analysed one by one, in code at the beginnings of statements, else at those of lines. A
 * window that begins inside of PHP, a script or a long text is opened as such. Linear.
 */
export function windowsOf(request: AnalysisRequest): readonly AnalysisRequest[] {
  const { content, inputType } = request;
  if (!isLong(content)) return [request];
  const places = inputType === 'code' ? placesInCode(content) : { good: lines(content, 0, ''), at: plain };
  const windows: AnalysisRequest[] = [];
  const lineOf = lineCounter(content);
  let start: Place = { at: 0, opening: '' };
  let next = 0;
  for (;;) {
    const end = Math.min(content.length, start.at + WINDOW_CHARS - start.opening.length);
    const linesBefore = Math.max(0, lineOf(start.at) - 1 - newlinesIn(start.opening));
    windows.push({ ...request, content: start.opening + content.slice(start.at, end), linesBefore });
    if (end === content.length) return windows;
    const wanted = end - OVERLAP_CHARS;
    while ((places.good[next]?.at ?? Number.POSITIVE_INFINITY) <= wanted) next++;
    const near = places.good[next - 1];
    start = near && near.at > wanted - OVERLAP_CHARS ? near : places.at(wanted);
  }
}

const plain = (at: number): Place => ({ at, opening: '' });

function placesInCode(content: string): Places {
  if (PHP_TAG.test(content)) return placesInPhp(content);
  if (PAGE.test(content)) {
    const isInScript = scriptsOf(content, false);
    const at = (offset: number): Place => ({ at: offset, opening: isInScript(offset) ? SCRIPT : MARKUP });
    return { good: lines(content, 0, '').map((line) => at(line.at)), at };
  }
  const { tokens } = lexJs(content);
  // Which language it is stands there.
  const opening = content.startsWith('#!') ? `${content.slice(0, HEAD_CHARS_MAX).split('\n', 1)[0]}\n` : '';
  const good = tokens.filter((token, index) => isBeginning(content, token, tokens[index - 1]));
  return placesAmong(
    content,
    tokens,
    good.map(({ at }) => ({ at, opening })),
  );
}

function placesInPhp(content: string): Places {
  const { tokens } = lexPhp(content);
  const good: Place[] = [];
  let script = '';
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'html') {
      const isInScript = scriptsOf(token.text, script !== '');
      for (const { at } of lines(token.text, token.at, ''))
        good.push({ at, opening: isInScript(at - token.at) ? SCRIPT : MARKUP });
      script = isInScript(token.text.length) ? SCRIPT : '';
    } else if (isBeginning(content, token, tokens[index - 1])) {
      const isTag = token.text === ';' && content[token.at] === '<';
      good.push({ at: token.at, opening: isTag ? script || MARKUP : script + PHP });
    }
  }
  return placesAmong(content, tokens, good);
}

/** Whether a statement, or else the code of a line, begins with a token. */
function isBeginning(content: string, { at }: Token, before: Token | undefined): boolean {
  if (before === undefined) return true;
  const isSign = before.kind === 'operator' || before.kind === 'sign';
  if (isSign && (before.text === ';' || before.text === '{' || before.text === '}')) return true;
  let from = at;
  while (from > at - 80 && (content[from - 1] === ' ' || content[from - 1] === '\t')) from--;
  return content[from - 1] === '\n';
}

function placesAmong(content: string, tokens: readonly Token[], good: readonly Place[]): Places {
  const before = <Item extends { at: number }>(items: readonly Item[], at: number) =>
    items[countUpTo(items, at) - 1];
  return {
    good,
    at(offset) {
      const place = before(good, offset) ?? plain(0);
      const token = before(tokens, offset);
      if (token === undefined || token.kind === 'html') return { at: offset, opening: place.opening };
      TEXT_START.lastIndex = token.at;
      const [quote] = TEXT_START.exec(content) ?? [];
      if (quote !== undefined) {
        const from = token.at + quote.length;
        const head = content.slice((before(good, token.at) ?? place).at, from);
        // What is encoded in fours or twos stays so.
        const at = Math.max(from, offset - ((offset - from) & 3));
        return { at, opening: place.opening + (head.length <= HEAD_CHARS_MAX ? head : quote) };
      }
      const comment = content.lastIndexOf('/*', offset);
      const isIn = comment > token.at && comment > content.lastIndexOf('*/', offset);
      return { at: offset, opening: place.opening + (isIn ? '/*' : '') };
    },
  };
}

/** How many of some items, in their order, stand at an offset or before it. */
function countUpTo(items: readonly { readonly at: number }[], offset: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Tells of offsets of markup whether they are inside of a script. */
function scriptsOf(markup: string, startsInside: boolean): (offset: number) => boolean {
  const tags = [...markup.matchAll(/<(\/?)script\b/gi)].map(({ index, 1: slash }) => ({
    at: index,
    opens: slash === '',
  }));
  return (offset) => tags[countUpTo(tags, offset) - 1]?.opens ?? startsInside;
}

/** The beginnings of the lines of a text that stands at an offset. */
function lines(text: string, offset: number, opening: string): Place[] {
  const found: Place[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    found.push({ at: offset + at + 1, opening });
  return found;
}
