/** A set of words that are written with a space between them. */
export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Counts the distinct words of a list that a text contains. Words are lower-case. */
export function wordsIn(lowerText: string, words: readonly string[]): number {
  let found = 0;
  for (const word of words) if (lowerText.includes(word)) found++;
  return found;
}

/** How many characters of a text a global pattern matches. */
export const charsOf = (text: string, pattern: RegExp): number =>
  text.length - text.replace(pattern, '').length;

/** The share of a text's characters that a global pattern matches, from 0 to 1. */
export const shareOf = (text: string, pattern: RegExp): number =>
  text.length === 0 ? 0 : charsOf(text, pattern) / text.length;

const SENTENCE_WORDS_MIN = 7;
const SAMPLE_CHARS = 2_000;

/** Whether a text reads like sentences, so that code characters in it are punctuation or quotations. */
export function isProse(text: string): boolean {
  const sample = text.slice(0, SAMPLE_CHARS);
  const words = sample.match(/(?:^|[\s("'`])[A-Za-z][a-z]{1,20}(?=[\s.,:!?)"'`]|$)/g)?.length ?? 0;
  return words >= SENTENCE_WORDS_MIN && words * 9 > sample.length;
}

const QUOTED_CODE =
  /```[^`]{0,8000}```|(?<![\w`])`[^`\n]{1,400}`(?![\w`])|<(code|pre|syntaxhighlight|source|nowiki|kbd|samp|tt)\b[^<>]{0,200}>(?:<code\b[^<>]{0,200}>)?[^<]{0,8000}(?:<\/code>)?<\/\1>/gi;

/** Blanks quoted code, keeping line breaks: in backticks, or in code elements without nested elements. */
export const withoutQuotedCode = (text: string): string =>
  text.replace(QUOTED_CODE, (code) => code.replace(/[^\n]+/g, ' '));
