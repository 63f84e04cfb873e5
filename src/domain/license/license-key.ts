import { hash, randomBytes } from 'node:crypto';
import { base62Bytes, base62Checksum } from '../../lib/base62.ts';

export type LicenseEnvironment = 'live' | 'test';

const RANDOM_BYTES = 24;
const RANDOM_CHARACTERS = 33;
const CHECKSUM_CHARACTERS = 6;
const KEY = /^rdt_(?:live|test)_[0-9A-Za-z]{39}$/;
/** Fits into a Bearer header and cannot be mistaken for one of ours. */
const FOREIGN_KEY = /^(?!rdt_)[\x21-\x7e]{16,128}$/;

/** The longest grace period of a previous key, in days. */
export const GRACE_DAYS_MAX = 30;

/** A new license key: prefix, 192 random bits in base62 and a CRC-32 over both, in base62. */
export function generateLicenseKey(environment: LicenseEnvironment): string {
  const body = `rdt_${environment}_${base62Bytes(randomBytes(RANDOM_BYTES), RANDOM_CHARACTERS)}`;
  return body + base62Checksum(body);
}

/**
 * Whether a text has a key's form and checksum. It says nothing of whether such a license exists,
 * but spares the database every mistyped key.
 */
export function isWellFormedKey(text: string): boolean {
  return (
    KEY.test(text) && base62Checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
  );
}

/** Whether a text may be a key that another system has made and an operator has imported. */
export const isForeignKey = (text: string): boolean => FOREIGN_KEY.test(text);

/** Whether a text may be the key of a license, so that it is worth a look into the database. */
export const mayBeKey = (text: string): boolean => isWellFormedKey(text) || isForeignKey(text);

/** The stored hash of a key: SHA-256 of a domain-separated input, in base64url. */
export const hashLicenseKey = (key: string): string =>
  hash('sha256', `redoubt-license-key-v1\n${key}`, 'base64url');

/** The visible parts of a key: its prefix, which another system's key lacks, and its last four characters. */
export const displayParts = (key: string): { prefix: string; last4: string } => ({
  prefix: isForeignKey(key) ? '' : key.slice(0, key.lastIndexOf('_') + 1),
  last4: key.slice(-4),
});

/** The stored parts of a key. */
export interface StoredKey {
  readonly keyHash: string;
  readonly keyPrefix: string;
  readonly keyLast4: string;
}

/** The stored parts of a key of ours or of another system. */
export function storedKey(key: string): StoredKey {
  const { prefix, last4 } = displayParts(key);
  return { keyHash: hashLicenseKey(key), keyPrefix: prefix, keyLast4: last4 };
}

/** A new key and its stored parts. The key itself is shown once and stored nowhere. */
export function newLicenseKey(environment: LicenseEnvironment): { key: string; stored: StoredKey } {
  const key = generateLicenseKey(environment);
  return { key, stored: storedKey(key) };
}
