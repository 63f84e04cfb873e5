/** Counts which of a list of words a text has; each is counted once. Words are lower-case. */
export function wordsIn(lowerText: string, words: readonly string[]): number {
  let found = 0;
  for (const word of words) if (lowerText.includes(word)) found++;
  return found;
}

/** The share of a text's characters that match, from 0 to 1. */
export function shareOf(text: string, pattern: RegExp): number {
  if (text.length === 0) return 0;
  let matching = 0;
  for (const found of text.matchAll(pattern)) matching += found[0].length;
  return matching / text.length;
}

const SENTENCE_WORDS_MIN = 7;
const SAMPLE_CHARS = 2_000;

/** Whether a text reads like sentences: where a sign that programs use is punctuation or a quotation. */
export function isProse(text: string): boolean {
  const sample = text.slice(0, SAMPLE_CHARS);
  const words = sample.match(/(?:^|[\s("'`])[A-Za-z][a-z]{1,20}(?=[\s.,:!?)"'`]|$)/g)?.length ?? 0;
  return words >= SENTENCE_WORDS_MIN && words * 9 > sample.length;
}
