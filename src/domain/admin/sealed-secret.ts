import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals a secret (AES-256-GCM) for its owner, so that without the key a database reveals nothing of it. */
export function sealSecretOf(key: Uint8Array, owner: string, secret: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/** The secret sealed for an owner; undefined when the key or the owner differs, or it is damaged. */
export function openSecretOf(key: Uint8Array, owner: string, sealed: string): Uint8Array | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

const ownerOf = (operatorId: number): string => `operator:${operatorId}`;

/** Seals the secret of an operator's second factor. */
export const sealSecret = (key: Uint8Array, operatorId: number, secret: Uint8Array): string =>
  sealSecretOf(key, ownerOf(operatorId), secret);

/** See {@link openSecretOf}. */
export const openSecret = (key: Uint8Array, operatorId: number, sealed: string): Uint8Array | undefined =>
  openSecretOf(key, ownerOf(operatorId), sealed);
