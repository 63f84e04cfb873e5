/**
 * The words of a key as it is written, in lower case: cut at every sign that is no letter or digit, between
 * letters and digits, and at the humps of camelCase (`userIPAddress2` is user, ip, address, 2).
 */
export function writtenWords(key: string): string[] {
  const words: string[] = [];
  let start = 0;
  let before: number = Kind.sign;
  for (let i = 0; i <= key.length; i++) {
    const kind = i < key.length ? kindOf(key.charCodeAt(i)) : Kind.sign;
    const cut =
      (kind !== before && !(before === Kind.upper && kind === Kind.lower)) ||
      (before === Kind.upper && kind === Kind.upper && kindOf(key.charCodeAt(i + 1)) === Kind.lower);
    if (cut) {
      if (before !== Kind.sign) words.push(key.slice(start, i).toLowerCase());
      start = i;
    }
    before = kind;
  }
  return words;
}

/**
 * A run of letters cut into words of a vocabulary without remainder, or undefined when it cannot be: reads
 * `useremail`, and `PaSsWoRd` where the humps of camelCase mislead. Of two words with one end the longer wins.
 */
export function knownWords(letters: string, vocabulary: ReadonlySet<string>): string[] | undefined {
  /** For each place that words from the start on can reach: one more than where the last of them begins. */
  const reached = new Int16Array(letters.length + 1);
  for (let start = 0; start < letters.length; start++) {
    if (start > 0 && reached[start] === 0) continue;
    const longest = Math.min(letters.length, start + VOCABULARY_WORD_MAX);
    for (let end = start + 1; end <= longest; end++) {
      if (reached[end] === 0 && vocabulary.has(letters.slice(start, end))) reached[end] = start + 1;
    }
  }
  const words: string[] = [];
  for (let end = letters.length; end > 0; ) {
    const start = (reached[end] ?? 0) - 1;
    if (start < 0) return undefined;
    words.unshift(letters.slice(start, end));
    end = start;
  }
  return words;
}

const VOCABULARY_WORD_MAX = 16;

const Kind = { sign: 0, lower: 1, upper: 2, digit: 3 } as const;

function kindOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return Kind.lower;
  if (code >= 0x41 && code <= 0x5a) return Kind.upper;
  if (code >= 0x30 && code <= 0x39) return Kind.digit;
  return code > 0x7f ? Kind.lower : Kind.sign;
}
