import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { type Release, releaseIn } from '../domain/release/release.ts';
import { iso } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import {
  keyOf,
  MINISIGN_HASH,
  type MinisignKey,
  type MinisignSignature,
  minisignKeyIn,
} from '../lib/minisign.ts';
import { openOrdinaryFile } from '../storage/signing/ordinary-file.ts';
import { refuseUnsigned, signatureBeside, signedComment } from '../storage/signing/signature-file.ts';

export interface VerifiedRelease extends Release {
  /** The key that signed it, as `minisign -P` takes it. */
  readonly key: string;
}

/** The kit, the largest file of a release, has less than half of this. */
const FILE_BYTES_MAX = 2 ** 30;
const CHUNK_BYTES = 2 ** 20;

/**
 * Looks whether a file is of a release of ours that may still be installed, by the signature beside it, `<path>.minisig`.
 *
 * @param releaseKeys files of public keys of minisign
 * @param nowMs the wall clock, in milliseconds since the Unix epoch
 * @returns what was signed
 * @throws Fault, whose message says of the file what to do
 */
export const verifyRelease = (path: string, releaseKeys: readonly string[], nowMs: number): VerifiedRelease =>
  lookAt(path, releaseKeys, nowMs, (file, signature, key) => {
    refuseUnsigned(hashOf(file), signature, key);
  });

/** The same by its signature alone, for a file that is verified later, in a place where it cannot change. */
export const signedReleaseAt = (
  path: string,
  releaseKeys: readonly string[],
  nowMs: number,
): VerifiedRelease => lookAt(path, releaseKeys, nowMs, () => {});

function lookAt(
  path: string,
  releaseKeys: readonly string[],
  nowMs: number,
  verify: (file: number, signature: MinisignSignature, key: MinisignKey) => void,
): VerifiedRelease {
  const file = openOrdinaryFile(path);
  try {
    const signature = signatureBeside(path, 'it is not a backup, and its release signature');
    const key = keyOf(
      signature,
      releaseKeys.map(minisignKeyIn).filter((known) => known !== undefined),
    );
    if (key === undefined)
      throw new Fault('it is not signed by a release key of this redoubt. Do not use it');
    const release = signedRelease(signature, key);
    if (fstatSync(file).size > FILE_BYTES_MAX)
      throw new Fault('it is too large for a release. Do not use it');
    verify(file, signature, key);
    if (release.expiresAt <= nowMs)
      throw new Fault(
        `it is redoubt ${release.version}, which must not be installed after ${iso(release.expiresAt)}. Get a newer one, or set this host's clock`,
      );
    return { ...release, key: key.text };
  } finally {
    closeSync(file);
  }
}

/** The signed description, not yet compared with the file. */
function signedRelease(signature: MinisignSignature, key: MinisignKey): Release {
  const release = releaseIn(signedComment(signature, key));
  if (release === undefined)
    throw new Fault('its signature is valid, but its format is unknown to this redoubt. Do not use it');
  return release;
}

function hashOf(file: number): Uint8Array {
  const hash = createHash(MINISIGN_HASH);
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let at = 0; ; ) {
    const read = readSync(file, chunk, 0, chunk.length, at);
    if (read === 0) return hash.digest();
    hash.update(chunk.subarray(0, read));
    at += read;
    // It is written to meanwhile.
    if (at > FILE_BYTES_MAX) return hash.digest();
  }
}
