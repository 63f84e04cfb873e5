import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

// Signatures of minisign (jedisct1.github.io/minisign): Ed25519 over a BLAKE2b-512 hash of the file, and over that signature with
// the trusted comment. The legacy format, over the file itself, is not supported because it needs the whole file in memory.

/** The hash that is signed. Supported by node:crypto on both runtimes. */
export const MINISIGN_HASH = 'blake2b512';
/** Longer signature files are refused unread; those of minisign are shorter. */
export const SIGNATURE_BYTES_MAX = 4_096;

/** A trusted public key. */
export interface MinisignKey {
  /** Eight bytes that identify a key; not authenticated. */
  readonly id: Uint8Array;
  readonly publicKey: KeyObject;
  /** In the form of `minisign -P`. */
  readonly text: string;
}

export interface MinisignSigner {
  readonly id: Uint8Array;
  /** An Ed25519 key. */
  readonly privateKey: KeyObject;
}

/** The content of a signature file. Untrusted until verified. */
export interface MinisignSignature {
  readonly id: Uint8Array;
  readonly ofFile: Uint8Array;
  readonly trustedComment: string;
  readonly ofComment: Uint8Array;
}

const KEY_TYPE = Buffer.from('Ed');
const SIGNATURE_TYPE = Buffer.from('ED');
const TYPE_BYTES = 2;
const ID_BYTES = 8;
const KEY_BYTES = 32;
const ED25519_BYTES = 64;
const PUBLIC_KEY = /^untrusted comment: [^\n]*\n([A-Za-z0-9+/=]+)\n?$/;
const SIGNATURE =
  /^untrusted comment: [^\n]*\n([A-Za-z0-9+/=]+)\ntrusted comment: ([^\n\r\0]*)\n([A-Za-z0-9+/=]+)\n?$/;

/** Parses a public key file; undefined if it is malformed. */
export function minisignKeyIn(file: string): MinisignKey | undefined {
  const [, text = ''] = PUBLIC_KEY.exec(file) ?? [];
  const bytes = base64(text, TYPE_BYTES + ID_BYTES + KEY_BYTES);
  if (bytes === undefined || !startsWith(bytes, KEY_TYPE)) return undefined;
  const x = bytes.subarray(TYPE_BYTES + ID_BYTES).toString('base64url');
  return {
    id: idIn(bytes),
    publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    text,
  };
}

/**
 * The content of a public key file.
 *
 * @param id eight bytes
 * @param key 32 bytes, Ed25519
 * @param comment one line, not signed
 */
export const minisignKeyText = (id: Uint8Array, key: Uint8Array, comment: string): string =>
  `untrusted comment: ${comment}\n${Buffer.concat([KEY_TYPE, id, key]).toString('base64')}`;

/** Parses a signature file; undefined if it is malformed or in the legacy format. */
export function minisignSignatureIn(file: string): MinisignSignature | undefined {
  const [, first = '', trustedComment = '', second = ''] = SIGNATURE.exec(file) ?? [];
  const bytes = base64(first, TYPE_BYTES + ID_BYTES + ED25519_BYTES);
  const ofComment = base64(second, ED25519_BYTES);
  if (bytes === undefined || ofComment === undefined || !startsWith(bytes, SIGNATURE_TYPE)) return undefined;
  return { id: idIn(bytes), ofFile: bytes.subarray(TYPE_BYTES + ID_BYTES), trustedComment, ofComment };
}

/** The key with the ID in a signature. */
export const keyOf = <Key extends MinisignKey>(
  { id }: MinisignSignature,
  keys: readonly Key[],
): Key | undefined => keys.find((key) => startsWith(key.id, id));

/** Whether the key signed the trusted comment. Says nothing about the file. */
export const isCommentSigned = (signature: MinisignSignature, key: MinisignKey): boolean =>
  verify(null, commentSigned(signature.ofFile, signature.trustedComment), key.publicKey, signature.ofComment);

/**
 * Whether the key signed the file.
 *
 * @param hash {@link MINISIGN_HASH} of the file
 */
export const isFileSigned = (hash: Uint8Array, signature: MinisignSignature, key: MinisignKey): boolean =>
  verify(null, hash, key.publicKey, signature.ofFile);

/**
 * Signs a file. Signatures are deterministic.
 *
 * @param hash {@link MINISIGN_HASH} of the file
 * @param trustedComment one line
 * @returns the content of the signature file
 */
export function signMinisign(
  hash: Uint8Array,
  { id, privateKey }: MinisignSigner,
  trustedComment: string,
): string {
  const ofFile = sign(null, hash, privateKey);
  const ofComment = sign(null, commentSigned(ofFile, trustedComment), privateKey);
  return [
    'untrusted comment: verify with minisign -V, or redoubt verify',
    Buffer.concat([SIGNATURE_TYPE, id, ofFile]).toString('base64'),
    `trusted comment: ${trustedComment}`,
    `${ofComment.toString('base64')}\n`,
  ].join('\n');
}

const commentSigned = (ofFile: Uint8Array, trustedComment: string): Buffer =>
  Buffer.concat([ofFile, Buffer.from(trustedComment)]);

const idIn = (bytes: Buffer): Uint8Array => bytes.subarray(TYPE_BYTES, TYPE_BYTES + ID_BYTES);

const startsWith = (bytes: Uint8Array, beginning: Uint8Array): boolean =>
  beginning.every((byte, at) => byte === bytes[at]);

/** Strict base64: Node decodes leniently, so the result must encode to the same text. */
function base64(text: string, bytes: number): Buffer | undefined {
  const read = Buffer.from(text, 'base64');
  return read.length === bytes && read.toString('base64') === text ? read : undefined;
}
