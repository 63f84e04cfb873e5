import { createPrivateKey, createPublicKey, type KeyObject, scryptSync } from 'node:crypto';
import { Fault } from '../../src/lib/fault.ts';
import type { MinisignSigner } from '../../src/lib/minisign.ts';

// The secret key files of minisign, with a password and without.

/** Type of the key, of its protection, of its checksum; salt; two numbers for scrypt; then, enciphered by a password or not, the key. */
const HEAD = { type: 0, protection: 2, salt: 6, work: 38, memory: 46, secret: 54 } as const;
/** Of the key itself: id, seed, public key, checksum. */
const SECRET = { id: 0, seed: 8, publicKey: 40, checksum: 72, end: 104 } as const;
const FILE_BYTES = HEAD.secret + SECRET.end;

const SCRYPT_BLOCKS = 8;
/** What minisign asks for; a hostile file could ask for more than there is. */
const MEMORY_BYTES_MAX = 2 ** 30;

/**
 * Reads a secret key file of minisign.
 *
 * @param password undefined = none is given
 * @throws Fault, whose message says what to do
 */
export function signingKeyIn(file: string, password: string | undefined): MinisignSigner {
  const [comment = '', text = ''] = file.split('\n');
  const bytes = Buffer.from(text, 'base64');
  if (
    !comment.startsWith('untrusted comment:') ||
    bytes.length !== FILE_BYTES ||
    wordAt(bytes, HEAD.type) !== 'Ed'
  )
    throw new Fault('it is no secret key of minisign: make one by minisign -G');
  const isProtected = wordAt(bytes, HEAD.protection) === 'Sc';
  if (isProtected && password === undefined)
    throw new Fault('it is protected by a password: name the file that holds it, --password-file FILE');
  const secret = bytes.subarray(HEAD.secret);
  const opened = isProtected && password !== undefined ? deciphered(bytes, secret, password) : secret;
  const privateKey = privateKeyOf(opened.subarray(SECRET.seed, SECRET.publicKey));
  // The second half of the key is its public key, so it tells whether the password was right.
  if (!publicKeyOf(privateKey).equals(opened.subarray(SECRET.publicKey, SECRET.checksum)))
    throw new Fault(isProtected ? 'this is not its password' : 'it is damaged: take a copy of it');
  return { id: opened.subarray(SECRET.id, SECRET.seed), privateKey };
}

function deciphered(bytes: Buffer, secret: Buffer, password: string): Buffer {
  const { memoryBytes, cost, parallel } = scryptParameters(bytes);
  const stream = scryptSync(password, bytes.subarray(HEAD.salt, HEAD.work), SECRET.end, {
    N: cost,
    r: SCRYPT_BLOCKS,
    p: parallel,
    maxmem: memoryBytes * 2,
  });
  return Buffer.from(secret.map((byte, at) => byte ^ (stream[at] ?? 0)));
}

/** As libsodium's `pickparams` makes them of the two numbers in the file. */
function scryptParameters(bytes: Buffer): { memoryBytes: number; cost: number; parallel: number } {
  const work = Math.max(32_768, Number(bytes.readBigUInt64LE(HEAD.work)));
  const memoryBytes = Number(bytes.readBigUInt64LE(HEAD.memory));
  if (memoryBytes > MEMORY_BYTES_MAX || work > MEMORY_BYTES_MAX)
    throw new Fault('its password needs more memory or work than minisign asks for: make another key');
  const isWorkTheLimit = work < memoryBytes / 32;
  const costMax = isWorkTheLimit ? work / (SCRYPT_BLOCKS * 4) : memoryBytes / (SCRYPT_BLOCKS * 128);
  const cost = 2 ** Math.max(1, Math.floor(Math.log2(costMax)));
  return {
    memoryBytes,
    cost,
    parallel: isWorkTheLimit ? 1 : Math.max(1, Math.floor(work / 4 / cost / SCRYPT_BLOCKS)),
  };
}

const wordAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 2);

const DER_OF_SEED = Buffer.from('302e020100300506032b657004220420', 'hex');

const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([DER_OF_SEED, seed]), format: 'der', type: 'pkcs8' });

const publicKeyOf = (privateKey: KeyObject): Buffer =>
  Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '', 'base64url');
