import type { Place } from './place.ts';
import { SECRET_NAMES } from './secrets.ts';
import { isTimestamp } from './survey.ts';

/** Names of secrets, also at the end of a longer name, such as `db_password`. */
const TELLING_NAMES = [
  ...SECRET_NAMES,
  ...['cookie', 'token', 'sess(?:ion)?[ _-]?id', '(?:access|api|auth|license|private|secret)[ -]key'],
];
/** Shorter ones begin a word; those of WordPress' cookies end with a hash. */
const SHORT_NAMES = [
  ...['pass', 'pw', 'pin', 'passcode', 'otp', 'session', 'sid', 'phpsessid'],
  'wordpress_[a-z_]{0,16}[0-9a-f]{32}',
];

/** A text without any of these, in small letters, names no secret. */
export const SECRET_STEMS = [
  'pass',
  'pw',
  'secret',
  'key',
  'token',
  'cookie',
  'authorization',
  'sess',
  'sid',
  'pin',
  'otp',
  'wordpress_',
];

const BLANKS = '[^\\S\\r\\n]{0,3}';
/** Ends a name: quotes, also escaped ones, and brackets, also those of URLs. */
const CLOSING = '(?:\\\\{0,3}["\'`]|\\]|%5d)?';
/** Of assignments, JSON, arrays of PHP, headers, forms, query strings, XML, multipart fields. */
const SIGN = `${BLANKS}(?:=>|:=|[:=])${BLANKS}|>|\\r?\\n\\r?\\n`;
const OPTION = '(?<=--[a-z-]{1,32}) ';

const NAME = new RegExp(
  `(${TELLING_NAMES.join('|')}|(?<![a-z])(?:${SHORT_NAMES.join('|')}))(?:${CLOSING}(${SIGN})|${OPTION})`,
  'gi',
);

/** Names after which a colon usually is not an assignment: `Unexpected token: )`. */
const IN_SENTENCES = /^(?:pass|pw|pin|passcode|otp|session|sid|token)$/i;
/** Headers: the rest of the line is their value. */
const HEADER = /(?:cookie|authorization)$/i;
/** Before a name in a URL or a form, whose values end at `&`. */
const IN_QUERY = /[?&][\w.[\]%-]*$/;
const NAME_CHARACTERS_MAX = 66;

/** How much of a value is read to classify it. */
const EXCERPT_CHARACTERS_MAX = 128;
const CLOSED = /[,;.)\]}]{1,3}$/;
const OPENING = /\\{0,3}["'`]/y;
const BARE = /[^\s"'`<>]*/y;
const BARE_IN_QUERY = /[^\s"'`<>&#]*/y;
const LINE = /[^\r\n]*/y;
const WORD = /\S*/y;

/** Words for the state of a secret, which are not secrets: `password: expired`. */
const STATES = new Set(
  (
    'true false null nil none undefined yes no on off unset set empty blank missing invalid valid incorrect correct ' +
    'wrong expired required optional weak strong short changed change reset updated created deleted revoked rotated ' +
    'renewed sent ok success successful succeeded failed failure error denied allowed granted rejected accepted blocked ' +
    'unknown unauthorized forbidden mismatch verified unverified enabled disabled active inactive started ended closed ' +
    'hidden masked filtered redacted policy must should may can cannot could is was are has have had does did not too ' +
    'the a an this that your for from of by with at in to and or contains length n/a'
  ).split(' '),
);
const MASKED = /^(?:(?:[*•x.]{1,64}|\[[a-z ]{0,32}\]|<[a-z ]{0,32}>)$|\[redacted:)/i;

/** Whether a value in the place of a secret describes only its state. */
export const isStateOfSecret = (value: string): boolean =>
  value === '' || STATES.has(value.toLowerCase()) || MASKED.test(value) || isTimestamp(value);

const ONE_NAME = new RegExp(NAME, 'i');

/** Whether a text has the name of a secret, followed by a sign. */
export const mayNameSecret = (text: string, small: string): boolean =>
  SECRET_STEMS.some((stem) => small.includes(stem)) && ONE_NAME.test(text);

/** Yields the values next to the names of secrets. */
export function* namedSecrets(text: string): Generator<Place> {
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    const [whole, name = '', sign = ''] = match;
    const value = valueAt(text, match.index + whole.length, { name, sign, nameStart: match.index });
    const excerpt = text.slice(value.start, Math.min(value.end, value.start + EXCERPT_CHARACTERS_MAX));
    if (isQuestionable(name, sign) && !/^(?=.*\d).{4}/.test(excerpt)) continue;
    NAME.lastIndex = Math.max(NAME.lastIndex, value.end);
    if (!isHarmless(excerpt, name) && !isHarmless(excerpt.replace(CLOSED, ''), name)) yield value;
  }
}

/** The constants of a configuration file of WordPress. */
const DEFINE = /define\(\s{0,3}["'][A-Z_]{0,32}(?:KEY|PASSWORD|SALT|SECRET|TOKEN)["']\s{0,3},\s{0,3}(["'])/g;

export function* definedSecrets(text: string): Generator<Place> {
  DEFINE.lastIndex = 0;
  for (let match = DEFINE.exec(text); match !== null; match = DEFINE.exec(text)) {
    const start = DEFINE.lastIndex;
    DEFINE.lastIndex = closingOf(text, start, match[1] ?? '');
    yield { start, end: DEFINE.lastIndex };
  }
}

const isQuestionable = (name: string, sign: string): boolean => IN_SENTENCES.test(name) && /: $/.test(sign);

/** `pass=14` is a count of successes. */
const isHarmless = (value: string, name: string): boolean =>
  isStateOfSecret(value) || (/^\d{1,3}$/.test(value) && !/passw/i.test(name));

function valueAt(
  text: string,
  at: number,
  { name, sign, nameStart }: { name: string; sign: string; nameStart: number },
): Place {
  const opening = matchAt(OPENING, text, at);
  if (opening !== '') {
    const start = at + opening.length;
    return { start, end: closingOf(text, start, opening) };
  }
  if (HEADER.test(name) && sign.includes(':')) {
    return isStateOfSecret(matchAt(WORD, text, at)) ? { start: at, end: at } : placeOf(LINE, text, at);
  }
  const before = text.slice(Math.max(0, nameStart - NAME_CHARACTERS_MAX), nameStart);
  return placeOf(IN_QUERY.test(before) ? BARE_IN_QUERY : BARE, text, at);
}

/** The end of a quoted value: the next unescaped same quote, else the end of the text. */
function closingOf(text: string, start: number, quotes: string): number {
  let at = text.indexOf(quotes, start);
  while (at > start && text[at - 1] === '\\') at = text.indexOf(quotes, at + 1);
  return at < 0 ? text.length : at;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

const placeOf = (pattern: RegExp, text: string, at: number): Place => ({
  start: at,
  end: at + matchAt(pattern, text, at).length,
});
