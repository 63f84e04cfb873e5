import { Kind, TypeRegistry, Type as t } from '@sinclair/typebox';
import { NOTE_PATTERN } from '../domain/license/customer.ts';
import { EMAIL_TEXT } from '../domain/license/email.ts';
import { SEVERITIES } from '../domain/severity.ts';
import { SITE_TEXT } from '../domain/site/site-domain.ts';
import { HASH_TOKEN } from '../domain/threat/hash-token.ts';

// Fields that several signals and reports have.

/** One of some words; a title makes it a type of its own in the contract. */
export const oneOf = <Word extends string>(words: readonly Word[], description?: string, title?: string) =>
  t.Union(
    words.map((word) => t.Literal(word)),
    { ...(description === undefined ? {} : { description }), ...(title === undefined ? {} : { title }) },
  );

/** A number of things. */
export const count = (description: string) => t.Integer({ minimum: 0, description });

/** Points of a hundred. */
export const score = (description: string) => t.Integer({ minimum: 0, maximum: 100, description });

export const SeverityName = oneOf(SEVERITIES, 'severity, in ascending order', 'Severity');

const CHARACTERS = 'Characters';

interface CharacterLimits {
  readonly minLength?: number;
  readonly maxLength: number;
}

/** Describes in the contract a text that a domain rule checks and refuses in its own words. */
interface TextForm {
  readonly description?: string;
  readonly format?: 'date-time';
  readonly pattern?: string;
  readonly anyOf?: readonly object[];
}

TypeRegistry.Set<CharacterLimits>(CHARACTERS, ({ minLength = 0, maxLength }, value) => {
  if (typeof value !== 'string' || value.length > 2 * maxLength) return false;
  const characters = value.length > maxLength ? [...value].length : value.length;
  return characters >= minLength && characters <= maxLength;
});

/** A text whose limits are in characters (Unicode code points), as JSON Schema counts; TypeBox's own are in UTF-16. */
export const text = (schema: CharacterLimits & TextForm) =>
  t.Unsafe<string>({ [Kind]: CHARACTERS, type: 'string', ...schema });

/** A site, as its domain or a URL; `normalizeSiteDomain` decides what it means. */
export const siteText = (description: string, maxLength = 2_048) =>
  text({
    minLength: 1,
    maxLength,
    pattern: SITE_TEXT.source,
    description: `${description}; internationalized names in Unicode or Punycode`,
  });

/** An e-mail address; `canonicalEmail` decides whether it is one. */
export const emailText = (description: string, maxLength = 254) =>
  text({ maxLength, pattern: EMAIL_TEXT.source, description });

/** A line for people; `customerNote` decides whether it is one. */
export const line = (description: string, maxLength: number) =>
  text({ minLength: 1, maxLength, pattern: NOTE_PATTERN, description });

/** What a field is and what each of its words means, as its description. */
export const meanings = <Word extends string>(what: string, meaningOf: Readonly<Record<Word, string>>) =>
  `${what}. ${Object.entries<string>(meaningOf)
    .map(([word, meaning]) => `\`${word}\`: ${meaning}${meaning.endsWith('.') ? '' : '.'}`)
    .join(' ')}`;

/** An opaque hash. */
export const hashToken = (description: string) => t.String({ pattern: HASH_TOKEN.source, description });

/** Letters, or up to eight letters and digits around a digit: no text is both, so that nothing backtracks. */
const NAME_PART = '([a-z]{1,20}|[a-z]{0,8}[0-9][a-z0-9]{0,8})';

/**
 * A name that several customers' agents share, so that their reports meet. It is kept and may be published, so it
 * has no part as long as a token or an account number.
 */
export const threatName = (description: string) =>
  t.String({
    maxLength: 64,
    pattern: `^(?=[a-z])${NAME_PART}([_-]${NAME_PART})*$`,
    description: `${description}; words of up to 20 letters (fewer if they contain digits), separated by \`_\` or \`-\``,
  });

/** Of a body value where the server derives the identity from the key. */
export const OVERRIDDEN = 'ignored; the identity derived from the key is used';

const mustBeFalse = (what: string) =>
  t.Literal(false, { description: `sender's declaration that the body contains no ${what}` });

/** The flags that every signal carries. */
export const privacyFlags = {
  piiIncluded: mustBeFalse('personal data'),
  contentIncluded: mustBeFalse('content'),
  secretsIncluded: mustBeFalse('secrets'),
};

export const PRIVACY_FLAGS_EXAMPLE = { piiIncluded: false, contentIncluded: false, secretsIncluded: false };

/** What old clients still send with a trip or report; privacy-gate.ts discards it before anything looks. */
export const discardedCallerFields = {
  ip: t.Optional(t.Unknown({ description: 'legacy field, discarded' })),
  userAgent: t.Optional(t.Unknown({ description: 'legacy field, discarded' })),
};
