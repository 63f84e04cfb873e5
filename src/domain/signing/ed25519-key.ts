import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/** A key of Ed25519 that can sign. */
export interface Ed25519Key {
  /** See {@link kidOf}. */
  readonly kid: string;
  /** 32 bytes in base64. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

const KEY_BYTES = 32;
const KID_BYTES = 8;
const PEM = /^-----BEGIN PRIVATE KEY-----\r?\n[^-]+-----END PRIVATE KEY-----$/m;

/** How names of keys look: 16 digits of lower-case hex. */
export const KID_PATTERN = '[0-9a-f]{16}';

/** The name of a key: the first eight bytes of SHA-256 over its 32 bytes, as hex, which needs no agreement on names. */
export const kidOf = (publicKey: Uint8Array): string =>
  createHash('sha256').update(publicKey).digest().subarray(0, KID_BYTES).toString('hex');

export const newEd25519Key = (): Ed25519Key => keyOf(generateKeyPairSync('ed25519').privateKey);

/**
 * Reads a private key from a PEM file (PKCS#8), which may hold other lines beside it.
 *
 * @returns undefined for other content, or another type of key
 */
export function parseEd25519Key(pem: string): Ed25519Key | undefined {
  try {
    const privateKey = createPrivateKey(PEM.exec(pem)?.[0] ?? '');
    return privateKey.asymmetricKeyType === 'ed25519' ? keyOf(privateKey) : undefined;
  } catch {
    return undefined;
  }
}

/** @param privateKey of Ed25519 */
export function keyOf(privateKey: KeyObject): Ed25519Key {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const bytes = Buffer.from(x, 'base64url');
  return { kid: kidOf(bytes), publicKey: bytes.toString('base64'), privateKey };
}

/** Reads a public key, 32 bytes in base64; undefined for what is none. */
export function publicKeyIn(base64: string): KeyObject | undefined {
  const bytes = Buffer.from(base64, 'base64');
  // Node decodes base64 leniently, so the bytes are encoded again to compare.
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== base64) return undefined;
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  });
}
