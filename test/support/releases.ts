import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { releaseComment, releaseOf } from '../../src/domain/release/release.ts';
import { MINISIGN_HASH, type MinisignSigner, signMinisign } from '../../src/lib/minisign.ts';

/** A minisign key pair without a password. */
export interface ReleaseKey {
  readonly signer: MinisignSigner;
  readonly publicFile: string;
  readonly secretFile: string;
}

export function newReleaseKey(): ReleaseKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const id = randomBytes(8);
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  // minisign checks a sum of the key; Node has no BLAKE2b of that length.
  const sum = new Bun.CryptoHasher('blake2b256')
    .update(Buffer.concat([Buffer.from('Ed'), id, seed, point]))
    .digest();
  const head = Buffer.concat([Buffer.from('Ed\0\0B2'), Buffer.alloc(48)]);
  const file = (kind: string, ...parts: Uint8Array[]) =>
    `untrusted comment: minisign ${kind} key\n${Buffer.concat(parts).toString('base64')}\n`;
  return {
    signer: { id, privateKey },
    publicFile: file('public', Buffer.from('Ed'), id, point),
    secretFile: file('secret', head, id, seed, point, sum),
  };
}

/** The description of a release of this moment. */
export const commentNow = (): string => releaseComment(releaseOf('1.2.3', Date.now(), 'linux-x64'));

/** Signs a file like a release. */
export function signFile(path: string, { signer }: ReleaseKey, comment = commentNow()): void {
  const hash = createHash(MINISIGN_HASH).update(readFileSync(path)).digest();
  writeFileSync(`${path}.minisig`, signMinisign(hash, signer, comment));
}
