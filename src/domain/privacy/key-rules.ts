/**
 * The key rule.
 *
 * A key is refused when a run of whole words in it is a term that the route refuses (key-terms.ts). It passes
 * all the same when it *measures*: it says how much, how many, whether or in which band, and its value, down
 * to the last leaf, is of a type that its measuring word promises.
 *
 * | The key's measuring word                      | Its value may be              | Example                   |
 * |-----------------------------------------------|-------------------------------|---------------------------|
 * | last: count, ratio, score, percent, age, ...  | number                        | `emailSecurityScore: 81`  |
 * | last: enabled, included, required, ...        | boolean, number               | `clipboardSyncEnabled`    |
 * | last: bucket, band, level, policy, ...        | number, boolean, enum's token | `passwordPolicy: "nist"`  |
 * | first: is, has, uses, requires                | boolean                       | `hasUserEmails: false`    |
 * | first: total, num, "number of", "count of"    | number                        | `numberOfSecrets: 3`      |
 *
 * | Refused                                  | Why                                                            |
 * |------------------------------------------|----------------------------------------------------------------|
 * | `userEmail`, `user_email`, `USEREMAIL`   | the term ends the key: it names the thing, not a measure of it |
 * | `emailHash`, `ipAddress`, `tokenValue`   | a hash, an address or a value identifies, it does not measure  |
 * | `emailSecurityScore: "ann"`              | a score is a number                                            |
 * | `emailCount: { list: ["ann"] }`          | a count's leaves are numbers, however deep they lie            |
 *
 * Words are whole: `passwordless` and `description` hold no `password` and no `ip`. A key is read twice: by its
 * written words, and as letters without case and signs cut into words that the rules know, so that `useremail`
 * and `PaSsWoRd` are read as meant. Key hygiene, decoy trip and threat report have no measurements about
 * refused terms; there the measuring words excuse nothing.
 */

import { base64Decoded } from './base64.ts';
import { compileTerms, EVERYWHERE, ON_SOME_ROUTES } from './key-terms.ts';
import { ANY_LEAF, type Leaf, MEASURING_FIRST, MEASURING_LAST, measuredLeaves, NO_LEAF } from './measures.ts';
import { percentDecoded, plainText } from './normalise.ts';
import type { PrivacyPolicy } from './policy.ts';
import { knownWords, writtenWords } from './words.ts';

/** The rule for a key's value: anything, only some types of leaf, or nothing. */
export interface KeyVerdict {
  readonly leaves: Leaf;
  /** The rule that another leaf violates. */
  readonly rule: string;
}

/** The parts of a policy for keys. */
export type KeyPolicy = Pick<PrivacyPolicy, 'terms' | 'measurements'>;

/** The verdict on a key that holds no refused term. */
export const PASSES: KeyVerdict = { leaves: ANY_LEAF, rule: '' };

/** Judges a key in its plain spelling, and what it says in percent escapes or base64. */
export function judgeKey(key: string, policy: KeyPolicy): KeyVerdict {
  const plain = plainText(key);
  const verdict = judgeText(plain, policy);
  const decoded = percentDecoded(plain) ?? base64Decoded(plain);
  return decoded === undefined ? verdict : stricter(verdict, judgeText(plainText(decoded), policy));
}

/** Whether a key consists of words of these rules alone, such as `userEmail`, so that it holds no data of a caller. */
export const consistsOfTerms = (key: string): boolean =>
  TERM_LETTERS.test(key) && knownWords(key.replaceAll('_', '').toLowerCase(), VOCABULARY) !== undefined;

const TERM_LETTERS = /^[A-Za-z][A-Za-z_]{0,63}$/;

/** The combined rule for a value below two keys. */
export function both(outer: KeyVerdict, inner: KeyVerdict): KeyVerdict {
  if (outer.leaves === ANY_LEAF) return inner;
  if (inner.leaves === ANY_LEAF) return outer;
  return { leaves: outer.leaves & inner.leaves, rule: inner.rule };
}

function judgeText(key: string, policy: KeyPolicy): KeyVerdict {
  const written = writtenWords(key);
  const verdict = judgeWords(written, policy);
  const meant = meantWords(written);
  return meant === undefined ? verdict : stricter(verdict, judgeWords(meant, policy));
}

/** Of readings with different measurements, the first one applies. */
function stricter(one: KeyVerdict, other: KeyVerdict): KeyVerdict {
  if (one.leaves === NO_LEAF || other.leaves === ANY_LEAF) return one;
  return one.leaves === ANY_LEAF || other.leaves === NO_LEAF ? other : one;
}

/** Another reading of the written words, or undefined when there is none. */
function meantWords(written: readonly string[]): string[] | undefined {
  const letters = written.filter(isLetters);
  const whole = knownWords(letters.join(''), VOCABULARY);
  if (whole !== undefined) return whole;
  let differs = false;
  const words: string[] = [];
  for (const word of written) {
    const parts = isLetters(word) ? knownWords(word, VOCABULARY) : undefined;
    if (parts !== undefined && parts.length > 1) differs = true;
    words.push(...(parts ?? [word]));
  }
  return differs ? words : undefined;
}

const isLetters = (word: string): boolean => word.charCodeAt(0) > 0x39;

function judgeWords(words: readonly string[], policy: KeyPolicy): KeyVerdict {
  const rule = refusedTerm(words, policy.terms);
  if (rule === undefined) return PASSES;
  return { rule, leaves: policy.measurements === 'allowed' ? measuredLeaves(words) : NO_LEAF };
}

function refusedTerm(words: readonly string[], terms: ReadonlyMap<string, string>): string | undefined {
  for (let start = 0; start < words.length; start++) {
    let term = '';
    for (let end = start; end < words.length && end < start + TERM_WORDS_MAX; end++) {
      term = end === start ? (words[end] ?? '') : `${term} ${words[end]}`;
      const rule = terms.get(term);
      if (rule !== undefined) return rule;
    }
  }
  return undefined;
}

const TERM_WORDS_MAX = 3;

/** Words that are not terms, but appear next to them: `customeremailaddress`. */
const COMPANIONS = (
  'admin address backup client contact current customer data employee hash id identifier list local ' +
  'login my new number old owner primary public remote root security server site source string target ' +
  'the user value victim visitor'
).split(' ');

/** The words that `meantWords` can cut a run of letters into. */
const VOCABULARY: ReadonlySet<string> = new Set(
  [
    ...compileTerms([...EVERYWHERE, ...ON_SOME_ROUTES]).keys(),
    ...MEASURING_LAST.keys(),
    ...MEASURING_FIRST.keys(),
    ...COMPANIONS,
  ].flatMap((term) => term.split(' ')),
);
