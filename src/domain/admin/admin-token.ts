import { hash, randomBytes } from 'node:crypto';
import { base62Bytes, base62Checksum } from '../../lib/base62.ts';

const RANDOM_BYTES = 23;
const RANDOM_CHARACTERS = 32;
const TOKEN = /^(rdo_[0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/;

/** How long a token may work, in days: two years. */
export const TOKEN_DAYS_MAX = 731;

/** The stored part of a token. */
export interface StoredToken {
  readonly tokenHash: string;
  readonly tokenLast4: string;
}

/**
 * A new token of the admin API, and what is stored of it: a prefix, 184 random bits in base62 and a CRC-32 over both. The token
 * itself is shown once and kept nowhere.
 */
export function newAdminToken(): { readonly token: string; readonly stored: StoredToken } {
  const body = `rdo_${base62Bytes(randomBytes(RANDOM_BYTES), RANDOM_CHARACTERS)}`;
  const token = `${body}_${base62Checksum(body)}`;
  return { token, stored: { tokenHash: hashAdminToken(token), tokenLast4: token.slice(-4) } };
}

/** Whether a text has a token's form and checksum, so that it is worth a look into the database. */
export function isWellFormedAdminToken(text: string): boolean {
  const [, body, checksum] = TOKEN.exec(text) ?? [];
  return body !== undefined && base62Checksum(body) === checksum;
}

/** The stored hash of a token: SHA-256 of a domain-separated input, in base64url. */
export const hashAdminToken = (token: string): string =>
  hash('sha256', `redoubt-admin-token-v1\n${token}`, 'base64url');

/** What ends a token, in milliseconds since the Unix epoch. */
export interface TokenEnds {
  readonly expiresAt: number;
  readonly revokedAt: number | null;
}

export type TokenState = 'works' | 'expired' | 'revoked';

/** The state of a token; it works until just before its end. */
export function tokenState({ expiresAt, revokedAt }: TokenEnds, nowMs: number): TokenState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= nowMs ? 'expired' : 'works';
}
