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
