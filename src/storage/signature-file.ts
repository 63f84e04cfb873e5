import { closeSync, readSync } from 'node:fs';
import { Fault } from '../lib/fault.ts';
import { type MinisignSignature, minisignSignatureIn, SIGNATURE_BYTES_MAX } from '../lib/minisign.ts';
import { openOrdinaryFile } from './ordinary-file.ts';

/**
 * Reads the signature of minisign that stands beside a file, `<path>.minisig`. Nothing of it may be believed before it was verified.
 *
 * @param what it is, as the subject of a sentence that says that it is missing
 * @throws Fault
 */
export function signatureBeside(path: string, what: string): MinisignSignature {
  const beside = `${path}.minisig`;
  const signature = minisignSignatureIn(textOf(beside, what));
  if (signature === undefined) throw new Fault(`${beside} is no signature of minisign: copy it again`);
  return signature;
}

/** The text of a file, or as much of it as tells that it is none of a signature. */
function textOf(path: string, what: string): string {
  let file: number;
  try {
    file = openOrdinaryFile(path);
  } catch (error) {
    throw error instanceof Fault
      ? new Fault(`${what} is to stand beside it, in ${path}, where ${error.message}`)
      : error;
  }
  try {
    const bytes = new Uint8Array(SIGNATURE_BYTES_MAX + 1);
    const read = readSync(file, bytes, 0, bytes.length, 0);
    return read > SIGNATURE_BYTES_MAX ? '' : new TextDecoder().decode(bytes.subarray(0, read));
  } finally {
    closeSync(file);
  }
}
