import { both, judgeKey, type KeyPolicy, type KeyVerdict, PASSES } from './key-rules.ts';
import { CREDENTIAL, compileTerms } from './key-terms.ts';
import { leafOf, NO_LEAF, NUMBER } from './measures.ts';
import { isStateOfSecret, SECRET_STEMS } from './named-secrets.ts';
import { writtenWords } from './words.ts';

/** In telemetry, the id of a session is a credential. */
const SESSION_TERMS = ['session', 'sid', 'nonce'];
/** Terms in keys that name a credential. */
export const CREDENTIAL_TERMS: readonly string[] = [...CREDENTIAL.terms, ...SESSION_TERMS];

const POLICY: KeyPolicy = {
  terms: compileTerms([{ ...CREDENTIAL, terms: CREDENTIAL_TERMS }]),
  measurements: 'allowed',
};

/** Last words of keys that describe a secret's origin or fate: `tokenSource`, `session_user`. */
const DESCRIBING = new Set(
  'action agent country error event field ip issuer name owner reason result rule scope scopes source user'.split(
    ' ',
  ),
);
/** Last words of keys whose value may be a numeric credential. */
const NUMERIC = new Set(
  'pin otp totp passcode password passwd pwd pw secret token code csrf sid id'.split(' '),
);

/** Glued to words that the rules do not know: `dbpassword`. */
const GLUED = /(?:passw(?:or)?d|passphrase|secret|apikey|token|sessionid)$/;
const NAMES_ONE: KeyVerdict = { leaves: NO_LEAF, rule: CREDENTIAL.id };

/** Every term has one of these in it. */
const STEMS = [
  ...SECRET_STEMS,
  ...[
    'auth',
    'bearer',
    'code',
    'connection',
    'cred',
    'csrf',
    'dsn',
    'jwt',
    'mnemonic',
    'nonce',
    'pem',
    'phrase',
  ],
];

/** Whether a lower-case text, or a key in it, may name a credential: cheap, without false negatives. */
export const mayNameCredential = (small: string): boolean => STEMS.some((stem) => small.includes(stem));

const KEYS_MAX = 1_024;
const KEY_CHARACTERS_MAX = 64;
/** A client sends the same few keys again and again. */
const known = new Map<string, KeyVerdict>();

/** The rule for the value of a telemetry key; `PASSES` when it names no credential. */
export function credentialVerdict(key: string): KeyVerdict {
  let verdict = known.get(key);
  if (verdict !== undefined) return verdict;
  if (!mayNameCredential(key.toLowerCase())) return PASSES;
  verdict = judge(key);
  if (key.length <= KEY_CHARACTERS_MAX) {
    if (known.size === KEYS_MAX) known.clear();
    known.set(key, verdict);
  }
  return verdict;
}

function judge(key: string): KeyVerdict {
  const words = writtenWords(key);
  if (DESCRIBING.has(words.at(-1) ?? '')) return PASSES;
  const verdict = judgeKey(key, POLICY);
  return verdict === PASSES && words.some((word) => GLUED.test(word)) ? NAMES_ONE : verdict;
}

/** Whether a value below a key is or contains a credential, by its keys. */
export function isCredential(key: string, value: unknown, verdict: KeyVerdict): boolean {
  if (verdict === PASSES) return false;
  if (typeof value === 'string') return (verdict.leaves & leafOf(value)) === 0 && !isStateOfSecret(value);
  if (typeof value === 'number')
    return (verdict.leaves & NUMBER) === 0 && NUMERIC.has(writtenWords(key).at(-1) ?? '');
  if (Array.isArray(value)) return value.some((each) => isCredential(key, each, verdict));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) =>
    isCredential(name, inner, both(verdict, credentialVerdict(name))),
  );
}
