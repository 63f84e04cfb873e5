import { firstIndex } from '../lib/first-index.ts';
import type { AnalysisRequest } from './analysis.ts';
import { isLong, WINDOW_CHARS } from './contents.ts';
import { openJs } from './js/lexer.ts';
import { onlyNamesPhp } from './php/errors.ts';
import { openPhp } from './php/lexer.ts';
import { lineCounter, newlinesIn } from './place.ts';

/** Overlap of consecutive windows, so that findings at the boundary are not lost. */
const OVERLAP_CHARS = 8 * 1024;
/** Maximum length of a statement's beginning that is repeated when a window begins inside a long text. */
const HEAD_CHARS_MAX = 1_024;
const PHP_TAG = /<\?(?:php\b|=|\s)/i;
const PAGE = /^\s*(?:<!doctype|<html|<head|<body|<script|<div|<!--|<meta)/i;
const PHP = '<?php ';
const SCRIPT = '<script>';
/** Opens a window as markup. */
const MARKUP = '<!---->';
const TEXT_START = /<<<[^\n]{1,80}\n|["'`]/y;

/** A place where a window may begin, and the text to insert before it so that it is read in the right state. */
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
  /** The last suitable place up to an offset; offsets must be ascending. */
  last(offset: number): Place | undefined;
  /** A place at this offset, if no suitable one is near. */
  at(offset: number, last: Place | undefined): Place;
}

/**
 * Splits a content into overlapping windows: code at statements, else at lines. Windows that begin inside PHP, a script or a long
 * text are opened accordingly. Linear.
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
  // The shebang identifies the language.
  const opening = content.startsWith('#!') ? `${content.slice(0, HEAD_CHARS_MAX).split('\n', 1)[0]}\n` : '';
  return placesAmong(content, surface.tokens, readTo, ({ at }) => ({ at, opening }));
}

function placesInPhp(content: string): Places {
  const { surface, readTo } = openPhp(content);
  const { tokens } = surface;
  /** The markup outside of PHP, with the script elements in it. */
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
    // The opening tag itself is in markup, the rest in PHP.
    const isTag = at === token.at && token.text === ';' && content[at] === '<';
    return { at, opening: isTag ? script || MARKUP : script + PHP };
  });
}

/** The beginning of the last line near an offset. */
const lineBegin =
  (content: string, placeAt: (at: number) => Place): Places['last'] =>
  (offset) => {
    const from = Math.max(0, offset - OVERLAP_CHARS);
    const end = content.slice(from, offset).lastIndexOf('\n');
    return end < 0 ? undefined : placeAt(from + end + 1);
  };

/** Whether a token begins a statement or a line. */
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
      // Later calls never need lines before the last window's beginning.
      readTo(offset + 1);
      const end = countUpTo(tokens, offset);
      // Searches backwards to where the previous search began, so each token is visited once.
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
        // Keeps groups of base64 (four) and hexadecimal (two) digits intact.
        const at = Math.max(from, offset - ((offset - from) & 3));
        return { at, opening: head.length <= HEAD_CHARS_MAX ? before.opening + head : opening + quote };
      }
      return { at: offset, opening: opening + commentAround(content, token.at, offset) };
    },
  };
}

/** The opening of the comment around an offset, after the last token before it; empty if there is none. */
function commentAround(content: string, tokenAt: number, offset: number): string {
  const block = content.lastIndexOf('/*', offset);
  if (block > tokenAt && block > content.lastIndexOf('*/', offset)) return '/*';
  // Source maps are in such comments.
  const line = content.lastIndexOf('//', offset);
  return line > tokenAt && line > content.lastIndexOf('\n', offset) ? '//' : '';
}

/** Offset of the last line of markup that begins up to an offset, or of the markup itself. */
const lastLine = ({ text, at }: Token, offset: number): number =>
  at + (offset > at ? text.lastIndexOf('\n', offset - at - 1) : -1) + 1;

/** Counts the items up to an offset, inclusive; items must be in order. */
const countUpTo = (items: readonly { readonly at: number }[], offset: number): number =>
  firstIndex(items, ({ at }) => at > offset);

/** Returns a test whether an offset of markup is inside a script element. */
function scriptsOf(markup: string, startsInside: boolean): (offset: number) => boolean {
  const tags = [...markup.matchAll(/<(\/?)script\b/gi)].map(({ index, 1: slash }) => ({
    at: index,
    opens: slash === '',
  }));
  return (offset) => tags[countUpTo(tags, offset) - 1]?.opens ?? startsInside;
}
