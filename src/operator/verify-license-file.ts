import { LICENSE_FILE_BEGINNING, LICENSE_FILE_BYTES_MAX } from '../domain/license/license-file.ts';
import { readPublishedKeys, type TrustedKey } from '../domain/signing/published-keys.ts';
import { Fault } from '../lib/fault.ts';
import { beginningOf, readOrdinaryFile } from '../storage/signing/ordinary-file.ts';

const KEYS_BYTES_MAX = 1_024 * 1_024;

/**
 * The text of a file that begins as a license file does. It may be broken all the same.
 *
 * @returns undefined for any other
 * @throws Fault when it is no ordinary file, too large, or cannot be read
 */
export function licenseFileText(path: string): string | undefined {
  const beginning = beginningOf(path, LICENSE_FILE_BEGINNING.length);
  if (new TextDecoder().decode(beginning) !== LICENSE_FILE_BEGINNING) return undefined;
  return readOrdinaryFile(path, LICENSE_FILE_BYTES_MAX);
}

/**
 * Reads the keys for license files that `/.well-known/redoubt-keys` gave.
 *
 * @throws Fault, whose message says of the file what to do
 */
export function readLicenseKeys(path: string): readonly TrustedKey[] {
  const keys = readPublishedKeys(readOrdinaryFile(path, KEYS_BYTES_MAX), 'license');
  if (keys === undefined)
    throw new Fault('it contains no keys. Use the file served at /.well-known/redoubt-keys');
  return keys;
}
