import { ORIGIN } from '../origin.ts';
import { PHP } from './signals.ts';
import { runCode } from './sinks.ts';
import { originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/**
 * Judges regular expressions with modifier e, which runs the replacement as PHP (removed in PHP 7). A pattern from the request
 * can contain it.
 */
export function judgeReplace(
  walk: Walk,
  [pattern = UNKNOWN, replacement = UNKNOWN, subject = UNKNOWN, options = UNKNOWN]: readonly Value[],
  at: number,
): void {
  if (pattern.origins & ORIGIN.request && pattern.text === undefined) {
    // If only a part of the pattern comes from the request, it runs nothing, unless the replacement does too.
    const isLimited = pattern.origins & ORIGIN.partial && !(replacement.origins & ORIGIN.request);
    if (!isLimited) walk.report(PHP.pregRequest, at);
    return;
  }
  if (pattern.text === undefined && pattern.origins & replacement.origins & ORIGIN.decoded)
    walk.report(PHP.pregEval, at);
  const patterns = pattern.items ? walk.itemsOf(pattern) : [pattern];
  const isMultibyte = options.text?.includes('e') && /^[a-z]+$/.test(options.text);
  if (!isMultibyte && !patterns.some(({ text }) => text !== undefined && runsReplacement(text))) return;
  if (onlyHandlesMatches(replacement)) return;
  walk.report(PHP.pregEval, at);
  const run = { ...replacement, origins: originsOf(replacement) | originsOf(subject) };
  if (originsOf(run) !== 0 || run.text !== undefined) runCode(walk, run, at);
}

function runsReplacement(pattern: string): boolean {
  const opening = pattern.trimStart()[0] ?? '';
  const closing = { '(': ')', '{': '}', '[': ']', '<': '>' }[opening] ?? opening;
  if (/[\sA-Za-z0-9\\]/.test(closing)) return false;
  const modifiers = pattern.slice(pattern.lastIndexOf(closing) + 1);
  return /^[a-zA-Z\s]{1,12}$/.test(modifiers) && modifiers.includes('e') && pattern.length > 2;
}

const REPLACEMENT_CHARS_MAX = 500;
const MATCH_IN_QUOTES = /'[^']*[$\\]\d/;
const QUOTED = /'(?:[^'\\]|\\.)*'/g;
const HANDLES_TEXT =
  /\b(?:strlen|strtolower|strtoupper|ucfirst|trim|stripslashes|addslashes|htmlspecialchars)\(/g;

/**
 * Whether a replacement that is run only counts or changes the match: matches are only within single quotes, where PHP escapes
 * them (PHP manual, Pattern Modifiers, PREG_REPLACE_EVAL), and only text functions are called.
 */
function onlyHandlesMatches({ text }: Value): boolean {
  if (text === undefined || text.length > REPLACEMENT_CHARS_MAX || !MATCH_IN_QUOTES.test(text)) return false;
  const code = text.replace(QUOTED, "''").replace(HANDLES_TEXT, ' (');
  return /^[\s.,()']*$/.test(code) && !/[')]\(/.test(code);
}
