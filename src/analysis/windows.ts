import { firstIndex } from '../lib/first-index.ts';
import type { AnalysisRequest } from './analysis.ts';
import { isLong, WINDOW_CHARS } from './contents.ts';
import { openJs } from './js/lexer.ts';
import { onlyNamesPhp } from './php/errors.ts';
import { openPhp } from './php/lexer.ts';
import { lineCounter, newlinesIn } from './place.ts';

/** What two windows that follow each other share, so that nothing falls between them. */
const OVERLAP_CHARS = 8 * 1024;
/** The beginning of a statement that a window repeats, where it begins inside of a long text. */
const HEAD_CHARS_MAX = 1_024;
const PHP_TAG = /<\?(?:php\b|=|\s)/i;
const PAGE = /^\s*(?:<!doctype|<html|<head|<body|<script|<div|<!--|<meta)/i;
const PHP = '<?php ';
const SCRIPT = '<script>';
/** What follows is markup. */
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
  /** The last good one up to an offset. Offsets are to be asked for in their order. */
  last(offset: number): Place | undefined;
  /** One that is not good, where no good one is near. */
  at(offset: number, last: Place | undefined): Place;
}

/**
 * Cuts a content into windows that are analysed one by one, in code at the beginnings of statements, else at those of lines. A
 * window that begins inside of PHP, a script or a long text is opened as such. Linear.
 */
export function windowsOf(request: AnalysisRequest): readonly AnalysisRequest[] {
  const { content, inputType } = request;
  if (!isLong(content)) return [request];
  const places =
    inputType === 'code' ? placesInCode(content) : { last: lineBegin(content, plain), at: plain };
  const windows: AnalysisRequest[] = [];
  const lineOf = lineCounter(content);
  let start: Place = { at: 0, opening: '' };
  for (;;) {
    const end = Math.min(content.length, start.at + WINDOW_CHARS - start.opening.length);
    const linesBefore = Math.max(0, lineOf(start.at) - 1 - newlinesIn(start.opening));
    windows.push({ ...request, content: start.opening + content.slice(start.at, end), linesBefore });
    if (end === content.length) return windows;
    const wanted = end - OVERLAP_CHARS;
    const last = places.last(wanted);
    start = last && last.at > wanted - OVERLAP_CHARS ? last : places.at(wanted, last);
  }
}

const plain = (at: number): Place => ({ at, opening: '' });

function placesInCode(content: string): Places {
  if (content.includes('<?') && PHP_TAG.test(content) && !onlyNamesPhp(content)) return placesInPhp(content);
  if (PAGE.test(content)) {
    const isInScript = scriptsOf(content, false);
    const at = (offset: number): Place => ({ at: offset, opening: isInScript(offset) ? SCRIPT : MARKUP });
    return { last: lineBegin(content, at), at };
  }
  const { surface, readTo } = openJs(content);
  // It shows the language.
  const opening = content.startsWith('#!') ? `${content.slice(0, HEAD_CHARS_MAX).split('\n', 1)[0]}\n` : '';
  return placesAmong(content, surface.tokens, readTo, ({ at }) => ({ at, opening }));
}

function placesInPhp(content: string): Places {
  const { surface, readTo } = openPhp(content);
  const { tokens } = surface;
  /** What is outside of PHP, each with what tells which of it is inside of a script. */
  const markup: {
    readonly at: number;
    isInScript(offset: number): boolean;
    readonly endsInScript: boolean;
  }[] = [];
  let seen = 0;
  const readMarkupTo = (end: number) => {
    readTo(end);
    for (; seen < tokens.length; seen++) {
      const { kind, text, at } = tokens[seen] as Token;
      if (kind !== 'html') continue;
      const isInScript = scriptsOf(text, markup[markup.length - 1]?.endsInScript ?? false);
      markup.push({ at, isInScript, endsInScript: isInScript(text.length) });
    }
  };
  return placesAmong(content, tokens, readMarkupTo, (token, at) => {
    const around = markup[countUpTo(markup, token.at) - 1];
    if (token.kind === 'html') return { at, opening: around?.isInScript(at - token.at) ? SCRIPT : MARKUP };
    const script = around?.endsInScript ? SCRIPT : '';
    // The tag itself stands in markup, what follows it in PHP.
    const isTag = at === token.at && token.text === ';' && content[at] === '<';
    return { at, opening: isTag ? script || MARKUP : script + PHP };
  });
}

/** Where the last line begins that is near an offset. */
const lineBegin =
  (content: string, placeAt: (at: number) => Place): Places['last'] =>
  (offset) => {
    const from = Math.max(0, offset - OVERLAP_CHARS);
    const end = content.slice(from, offset).lastIndexOf('\n');
    return end < 0 ? undefined : placeAt(from + end + 1);
  };

/** Whether a statement, or else the code of a line, begins with a token. */
function isBeginning(content: string, { at }: Token, before: Token | undefined): boolean {
  if (before === undefined) return true;
  const isSign = before.kind === 'operator' || before.kind === 'sign';
  if (isSign && (before.text === ';' || before.text === '{' || before.text === '}')) return true;
  let from = at;
  while (from > at - 80 && (content[from - 1] === ' ' || content[from - 1] === '\t')) from--;
  return content[from - 1] === '\n';
}

function placesAmong(
  content: string,
  tokens: readonly Token[],
  readTo: (end: number) => void,
  placeOf: (token: Token, at: number) => Place,
): Places {
  let last: Place | undefined;
  let searched = 0;
  return {
    last(offset) {
      // Lines after the last window's beginning are never requested.
      readTo(offset + 1);
      const end = countUpTo(tokens, offset);
      // Backwards, up to where the search before began: every token is looked at once.
      for (let index = end - 1; index >= searched - 1 && index >= 0; index--) {
        const token = tokens[index] as Token;
        const isMarkup = token.kind === 'html';
        const at = isMarkup ? lastLine(token, offset) : token.at;
        if (isMarkup ? at === token.at : !isBeginning(content, token, tokens[index - 1])) continue;
        last = placeOf(token, at);
        break;
      }
      searched = end;
      return last;
    },
    at(offset, before = plain(0)) {
      const token = tokens[countUpTo(tokens, offset) - 1];
      if (token === undefined)
        return { at: offset, opening: before.opening + commentAround(content, -1, offset) };
      const { opening } = placeOf(token, offset);
      if (token.kind === 'html') return { at: offset, opening };
      TEXT_START.lastIndex = token.at;
      const [quote] = TEXT_START.exec(content) ?? [];
      if (quote !== undefined) {
        const from = token.at + quote.length;
        const head = content.slice(before.at, from);
        // What is encoded in fours or twos stays so.
        const at = Math.max(from, offset - ((offset - from) & 3));
        return { at, opening: head.length <= HEAD_CHARS_MAX ? before.opening + head : opening + quote };
      }
      return { at: offset, opening: opening + commentAround(content, token.at, offset) };
    },
  };
}

/** How the comment begins that an offset is in, behind the last token before it; empty where it is in none. */
function commentAround(content: string, tokenAt: number, offset: number): string {
  const block = content.lastIndexOf('/*', offset);
  if (block > tokenAt && block > content.lastIndexOf('*/', offset)) return '/*';
  // Source maps stand in such a line.
  const line = content.lastIndexOf('//', offset);
  return line > tokenAt && line > content.lastIndexOf('\n', offset) ? '//' : '';
}

/** Where the last line of a markup begins up to an offset: where the markup does, if it has no such line. */
const lastLine = ({ text, at }: Token, offset: number): number =>
  at + (offset > at ? text.lastIndexOf('\n', offset - at - 1) : -1) + 1;

/** How many of some items, in their order, stand at an offset or before it. */
const countUpTo = (items: readonly { readonly at: number }[], offset: number): number =>
  firstIndex(items, ({ at }) => at > offset);

/** Tells of offsets of markup whether they are inside of a script. */
function scriptsOf(markup: string, startsInside: boolean): (offset: number) => boolean {
  const tags = [...markup.matchAll(/<(\/?)script\b/gi)].map(({ index, 1: slash }) => ({
    at: index,
    opens: slash === '',
  }));
  return (offset) => tags[countUpTo(tags, offset) - 1]?.opens ?? startsInside;
}
