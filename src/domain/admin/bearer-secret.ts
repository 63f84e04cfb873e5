import { hash, randomBytes } from 'node:crypto';
import { trimInvisible } from '../../lib/trim-invisible.ts';

const SECRET_BYTES = 32;

/** The secret of a session or a link: 256 random bits in base64url; only its hash is stored. */
export function newBearerSecret(): { readonly secret: string; readonly secretHash: string } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, secretHash: hashBearerSecret(secret) };
}

/** The stored hash of such a secret: SHA-256 of a domain-separated input, in base64url. */
export const hashBearerSecret = (secret: string): string =>
  hash('sha256', `redoubt-bearer-secret-v1\n${trimInvisible(secret)}`, 'base64url');
