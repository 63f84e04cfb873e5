import { t } from 'elysia';

// Fields that several signals and reports have.

/** One of some words. */
export const oneOf = <Word extends string>(words: readonly Word[], description: string) =>
  t.Union(
    words.map((word) => t.Literal(word)),
    { description },
  );

/** What a field is and what each of its words means, as its description. */
export const meanings = <Word extends string>(what: string, meaningOf: Readonly<Record<Word, string>>) =>
  `${what}. ${Object.entries(meaningOf)
    .map(([word, meaning]) => `\`${word}\`: ${meaning}`)
    .join(' ')}`;

/** An opaque hash (specification, section 8). */
export const hashToken = (description: string) =>
  t.String({ pattern: '^[A-Za-z0-9_-]{1,128}$', description });

/** A word that several customers' agents share, so that their reports meet. */
export const threatName = (description: string) =>
  t.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$', description });

/** Of a body value where the server derives the identity from the key. */
export const OVERRIDDEN = 'accepted and overridden by the identity derived from the key';

const mustBeFalse = (what: string) =>
  t.Literal(false, { description: `the sender's word that the body holds no ${what}` });

/** The flags that every signal carries. */
export const privacyFlags = {
  piiIncluded: mustBeFalse('personal data'),
  contentIncluded: mustBeFalse('content'),
  secretsIncluded: mustBeFalse('secrets'),
};

export const PRIVACY_FLAGS_EXAMPLE = { piiIncluded: false, contentIncluded: false, secretsIncluded: false };

/** What old clients still send with a trip or report; privacy-gate.ts discards it before anything looks. */
export const discardedCallerFields = {
  ip: t.Optional(t.Unknown({ description: 'legacy; discarded' })),
  userAgent: t.Optional(t.Unknown({ description: 'legacy; discarded' })),
};
