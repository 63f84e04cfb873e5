import { Kind, TypeRegistry, Type as t } from '@sinclair/typebox';
import { NOTE_PATTERN } from '../domain/license/customer.ts';
import { EMAIL_TEXT } from '../domain/license/email.ts';
import { SEVERITIES } from '../domain/severity.ts';
import { SITE_TEXT } from '../domain/site/site-domain.ts';
import { HASH_TOKEN } from '../domain/threat/hash-token.ts';

// Fields shared by several signals and reports.

/** An enumeration of strings. With a title, it is a named type in the contract. */
export const oneOf = <Word extends string>(words: readonly Word[], description?: string, title?: string) =>
  t.Union(
    words.map((word) => t.Literal(word)),
    { ...(description === undefined ? {} : { description }), ...(title === undefined ? {} : { title }) },
  );

export const count = (description: string) => t.Integer({ minimum: 0, description });

/** 0 to 100 points. */
export const score = (description: string) => t.Integer({ minimum: 0, maximum: 100, description });

export const SeverityName = oneOf(SEVERITIES, 'severity, in ascending order', 'Severity');

const CHARACTERS = 'Characters';

interface CharacterLimits {
  readonly minLength?: number;
  readonly maxLength: number;
}

/** The contract's description of a text that a domain rule checks, with refusals of its own. */
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

/** A text with limits in characters (Unicode code points), like JSON Schema; TypeBox counts UTF-16 code units. */
export const text = (schema: CharacterLimits & TextForm) =>
  t.Unsafe<string>({ [Kind]: CHARACTERS, type: 'string', ...schema });

/** A site, as a domain or a URL, normalized by `normalizeSiteDomain`. */
export const siteText = (description: string, maxLength = 2_048) =>
  text({
    minLength: 1,
    maxLength,
    pattern: SITE_TEXT.source,
    description: `${description}; internationalized names in Unicode or Punycode`,
  });

/** An e-mail address, validated by `canonicalEmail`. */
export const emailText = (description: string, maxLength = 254) =>
  text({ maxLength, pattern: EMAIL_TEXT.source, description });

/** A single line of text, validated by `customerNote`. */
export const line = (description: string, maxLength: number) =>
  text({ minLength: 1, maxLength, pattern: NOTE_PATTERN, description });

/** The description of an enumeration and of each of its values. */
export const meanings = <Word extends string>(what: string, meaningOf: Readonly<Record<Word, string>>) =>
  `${what}. ${Object.entries<string>(meaningOf)
    .map(([word, meaning]) => `\`${word}\`: ${meaning}${meaning.endsWith('.') ? '' : '.'}`)
    .join(' ')}`;

/** An opaque hash. */
export const hashToken = (description: string) => t.String({ pattern: HASH_TOKEN.source, description });

/** Letters, or up to 8 letters and digits around a digit. The alternatives are disjoint, which prevents backtracking. */
const NAME_PART = '([a-z]{1,20}|[a-z]{0,8}[0-9][a-z0-9]{0,8})';

/**
 * A name that the agents of several customers share, so that their reports can be matched. It is stored and may be
 * published, so no part is long enough for a token or an account number.
 */
export const threatName = (description: string) =>
  t.String({
    maxLength: 64,
    pattern: `^(?=[a-z])${NAME_PART}([_-]${NAME_PART})*$`,
    description: `${description}; words of up to 20 letters (fewer if they contain digits), separated by \`_\` or \`-\``,
  });

/** The description of fields whose values the server derives from the key. */
export const OVERRIDDEN = 'ignored; the identity derived from the key is used';

const mustBeFalse = (what: string) =>
  t.Literal(false, { description: `sender's declaration that the body contains no ${what}` });

/** The flags required in every signal. */
export const privacyFlags = {
  piiIncluded: mustBeFalse('personal data'),
  contentIncluded: mustBeFalse('content'),
  secretsIncluded: mustBeFalse('secrets'),
};

export const PRIVACY_FLAGS_EXAMPLE = { piiIncluded: false, contentIncluded: false, secretsIncluded: false };

/** Fields that old clients still send with trips and reports. privacy-gate.ts discards them before any check. */
export const discardedCallerFields = {
  ip: t.Optional(t.Unknown({ description: 'legacy field, discarded' })),
  userAgent: t.Optional(t.Unknown({ description: 'legacy field, discarded' })),
};
