import { DAY_MS, MINUTE_MS } from '../../lib/clock.ts';

/** Formats of public keys for verifiers. */
export const KEY_FORMS = ['jwk', 'vkey', 'minisign'] as const;
export type KeyForm = (typeof KEY_FORMS)[number];

/** How long a signed reply is valid. */
export const REPLY_VALID_MS = 5 * MINUTE_MS;
/** The longest life of a license file, in days: it cannot be revoked. */
export const LICENSE_FILE_DAYS_MAX = 366;

/** A feed covers two weeks; installations that rarely receive bundles still benefit from an older one. */
export const BUNDLE_LIFE_MS = 90 * DAY_MS;

/** Receivers refuse a webhook after minutes, but may verify the signatures of what they have queued. */
const WEBHOOK_VALID_MS = DAY_MS;

interface PurposeTerms {
  /** In words that follow "a key that signs". */
  readonly signs: string;
  /** How long its signatures can be valid, in milliseconds: a retired key is published for that time. */
  readonly holdsMs: number;
  /** The default format of `redoubt keys export`. */
  readonly form: KeyForm;
}

/**
 * The purposes of Ed25519 keys with the life cycle of credential keys, in the order in which they are listed. Purposes never
 * share keys.
 */
export const PURPOSES = {
  reply: { signs: 'replies', holdsMs: REPLY_VALID_MS, form: 'jwk' },
  license: { signs: 'license files', holdsMs: LICENSE_FILE_DAYS_MAX * DAY_MS, form: 'jwk' },
  feed: { signs: 'feeds for other installations', holdsMs: BUNDLE_LIFE_MS, form: 'minisign' },
  webhook: { signs: 'webhooks', holdsMs: WEBHOOK_VALID_MS, form: 'jwk' },
} as const satisfies Readonly<Record<string, PurposeTerms>>;

export type KeyPurpose = keyof typeof PURPOSES;

export const KEY_PURPOSES = Object.keys(PURPOSES) as readonly KeyPurpose[];

/** The default export format of a key of any purpose. */
export const formOf = (purpose: string): KeyForm =>
  KEY_PURPOSES.flatMap((known) => (known === purpose ? [PURPOSES[known].form] : []))[0] ?? 'jwk';
