import { closeSync, readSync } from 'node:fs';
import { Fault } from '../../lib/fault.ts';
import {
  isCommentSigned,
  isFileSigned,
  type MinisignKey,
  type MinisignSignature,
  minisignSignatureIn,
  SIGNATURE_BYTES_MAX,
} from '../../lib/minisign.ts';
import { openOrdinaryFile } from './ordinary-file.ts';

/**
 * Reads the minisign signature next to a file, `<path>.minisig`. Do not trust its content before verification.
 *
 * @param what the file, as the subject of the message about a missing signature
 * @throws Fault
 */
export function signatureBeside(path: string, what: string): MinisignSignature {
  const beside = `${path}.minisig`;
  const signature = minisignSignatureIn(textOf(beside, what));
  if (signature === undefined) throw new Fault(`${beside} is not a minisign signature. Copy it again`);
  return signature;
}

/**
 * Returns the comment signed by a key, before the file itself is verified.
 *
 * @throws Fault when the key has not signed it
 */
export function signedComment(signature: MinisignSignature, key: MinisignKey): string {
  if (isCommentSigned(signature, key)) return signature.trustedComment;
  throw new Fault('the comment in its signature was changed. Copy both files again');
}

/**
 * @param hash of the file, by `MINISIGN_HASH`
 * @throws Fault when the key has not signed the file
 */
export function refuseUnsigned(hash: Uint8Array, signature: MinisignSignature, key: MinisignKey): void {
  if (isFileSigned(hash, signature, key)) return;
  throw new Fault('it does not match its signature. Copy it again. If that does not help, do not use it');
}

/** The text of a file, up to a length that no signature has. */
function textOf(path: string, what: string): string {
  let file: number;
  try {
    file = openOrdinaryFile(path);
  } catch (error) {
    throw error instanceof Fault ? new Fault(`${what} was not found in ${path}: ${error.message}`) : error;
  }
  try {
    const bytes = new Uint8Array(SIGNATURE_BYTES_MAX + 1);
    const read = readSync(file, bytes, 0, bytes.length, 0);
    return read > SIGNATURE_BYTES_MAX ? '' : new TextDecoder().decode(bytes.subarray(0, read));
  } finally {
    closeSync(file);
  }
}
