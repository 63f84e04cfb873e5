/**
 * Whether a text contains a random string: a run of base64 characters that is long, of high Shannon entropy, and not made of
 * words. Names and enum tokens are: most of their letters are in pronounceable words (`cveOlderThan30DaysCount`,
 * `aes_256_gcm_customer_managed`), while a random string changes between cases and digits every other character. A value must
 * also not mix letters and digits for long without a separator.
 */
export function hasRandomString(text: string, kind: 'key' | 'value'): boolean {
  const lengthMin = kind === 'key' ? KEY_LENGTH_MIN : VALUE_LENGTH_MIN;
  let start = 0;
  let changes = 0;
  let before = NO_RUN;
  for (let i = 0; i <= text.length; i++) {
    const character = kindOf(text.charCodeAt(i));
    if (character === NO_RUN) {
      const length = i - start;
      if (length >= lengthMin && changes * FEW_CHANGES > length && isRandom(text.slice(start, i), kind))
        return true;
      start = i + 1;
      changes = 0;
    } else if (
      character !== before &&
      before > SIGN &&
      character > SIGN &&
      !(before === CAPITAL && character === SMALL)
    )
      changes++;
    before = character;
  }
  return false;
}

/** A UUID: made to identify, and not always of high entropy. */
export const hasUuid = (text: string): boolean => UUID.test(text);

function isRandom(run: string, kind: 'key' | 'value'): boolean {
  const parts = run.split(/[+/_-]/).filter((part) => part !== '');
  const characters = parts.reduce((sum, part) => sum + part.length, 0);
  if (characters < VALUE_LENGTH_MIN) return false;
  if (/^[\d+/_a-f-]*$/i.test(run)) {
    return characters >= HEX_LENGTH_MIN && /\d/.test(run) && entropyOf(run) >= HEX_ENTROPY_MIN;
  }
  const named = kind === 'key' ? hasWords(run, parts.length, characters) : isToken(run, parts, characters);
  return !named && entropyOf(run) >= ENTROPY_MIN;
}

/** An enum's token is a name that never needs capitals, small letters and digits together. */
const isToken = (run: string, parts: readonly string[], characters: number): boolean =>
  hasWords(run, parts.length, characters) &&
  !(/[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run)) &&
  !parts.some((part) => part.length >= MIX_LENGTH_MAX && MIXED.test(part));

/** Whether the parts between separators are whole words, or mostly pronounceable. */
function hasWords(run: string, parts: number, characters: number): boolean {
  const words = run.match(CAMEL_CASE_WORDS) ?? [];
  if ((words.length - parts) * CUTS_SHARE <= characters) return true;
  const spoken = words.filter((word) => word.length >= 3 && SPOKEN.test(word));
  return spoken.reduce((sum, word) => sum + word.length, 0) * 5 >= characters * 3;
}

/** Shannon entropy in bits per character. */
function entropyOf(run: string): number {
  const counts = new Uint32Array(128);
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let sum = 0;
  for (const count of counts) if (count > 1) sum += count * Math.log2(count);
  return Math.log2(run.length) - sum / run.length;
}

function kindOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return SMALL;
  if (code >= 0x41 && code <= 0x5a) return CAPITAL;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  return code === 0x2b || code === 0x2d || code === 0x2f || code === 0x5f ? SIGN : NO_RUN;
}

const NO_RUN = 0;
const SIGN = 1;
const SMALL = 2;
const CAPITAL = 4;
const DIGIT = 8;
const UUID = /(?<![0-9a-z])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-z])/i;
const CAMEL_CASE_WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;
/** An abbreviation in capitals does not count: a random string has many. */
const SPOKEN = /^(?!.*[b-df-hj-np-tv-xz]{5})(?:[A-Z]?[a-z]*[aeiouy]|[AEIOUY][a-z])/;
const MIXED = /[A-Za-z]\d|\d[A-Za-z]/;
const VALUE_LENGTH_MIN = 20;
const KEY_LENGTH_MIN = 24;
const HEX_LENGTH_MIN = 24;
const MIX_LENGTH_MAX = 16;
/** Fewer changes of case or kind than one in so many characters: words, without a closer look. */
const FEW_CHANGES = 8;
/** At most one change of case or kind in so many characters is taken for words. */
const CUTS_SHARE = 5;
const HEX_ENTROPY_MIN = 3;
const ENTROPY_MIN = 3.5;
