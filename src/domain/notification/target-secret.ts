import { randomBytes } from 'node:crypto';
import { openSecretOf, sealSecretOf } from '../admin/sealed-secret.ts';

/** As Standard Webhooks writes a secret, so that receivers can use its libraries. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

const ownerOf = (targetId: string): string => `target:${targetId}`;

/** A new secret of a webhook: `whsec_` and 32 random bytes in base64. */
export const newTargetSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The bytes that sign, of a secret as it is shown. */
export const secretBytes = (secret: string): Uint8Array => Buffer.from(secret.slice(PREFIX.length), 'base64');

/**
 * Seals the secret of a target.
 *
 * @param targetId the public one
 */
export const sealTargetSecret = (key: Uint8Array, targetId: string, secret: string): string =>
  sealSecretOf(key, ownerOf(targetId), secretBytes(secret));

/** The secret that was sealed for a target; undefined when it was by another key, for another one, or is damaged. */
export function openTargetSecret(key: Uint8Array, targetId: string, sealed: string): string | undefined {
  const bytes = openSecretOf(key, ownerOf(targetId), sealed);
  return bytes && PREFIX + Buffer.from(bytes).toString('base64');
}
