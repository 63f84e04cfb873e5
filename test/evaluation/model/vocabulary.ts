import { VOCABULARY_BYTES, type Vocabulary, wordAt } from '../../../src/analysis/model/features.ts';
import type { Sample } from './samples.ts';

/** A word is known that so many clean repositories use, or so many groups of malicious files. */
const USERS_MIN = 4;

/** The words that distinguish contents. A name used by one author or one site is not included. */
export function vocabularyOf(samples: readonly Sample[]): Vocabulary {
  const vocabulary = new Uint8Array(VOCABULARY_BYTES);
  for (const label of ['malicious', 'clean'] as const) {
    const users = new Map<number, number>();
    const lastUser = new Map<number, string | number>();
    for (const sample of samples) {
      if (sample.label !== label) continue;
      const user = label === 'clean' ? sample.repository : sample.group;
      const { count, texts, shapes } = sample.tokens;
      for (let at = 0; at < count; at++) {
        const text = texts[at] as number;
        if (shapes[at] === 0 || lastUser.get(text) === user) continue;
        lastUser.set(text, user);
        const by = (users.get(text) ?? 0) + 1;
        users.set(text, by);
        if (by !== USERS_MIN) continue;
        const word = wordAt(text);
        vocabulary[word >> 3] = (vocabulary[word >> 3] as number) | (1 << (word & 7));
      }
    }
  }
  return vocabulary;
}
