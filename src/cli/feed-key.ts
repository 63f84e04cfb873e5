import { keyInForm } from '../domain/signing/key-forms.ts';
import { Fault } from '../lib/fault.ts';
import { minisignKeyIn, SIGNATURE_BYTES_MAX } from '../lib/minisign.ts';
import { minisignKeyOf } from '../operator/feed-exchange/open-bundle.ts';
import type { Config } from '../settings/config.ts';
import { readOrdinaryFile } from '../storage/signing/ordinary-file.ts';
import { CommandRefused } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';
import { keptPublishedKeys } from './kept-keys.ts';

/** The keys that sign this installation's feed, or have signed it, as `minisign -P` takes them. */
export async function ownFeedKeys(db: Store['db'], config: Config): Promise<string[]> {
  const published = await keptPublishedKeys(db, config);
  return published
    .filter(({ purpose, state }) => purpose === 'feed' && state !== 'revoked')
    .flatMap((key) => minisignKeyIn(keyInForm(key, 'minisign'))?.text ?? []);
}

/**
 * A public key of minisign that a command line holds, or the file that it names.
 *
 * @returns it as `minisign -P` takes it
 * @throws CommandRefused
 */
export function publicKeyOf(text: string): string {
  if (minisignKeyOf(text)) return text;
  const found = minisignKeyIn(textOf(text));
  if (found) return found.text;
  throw new CommandRefused(
    `${text} has no public key. Print it on the other installation with "redoubt keys export feed"`,
  );
}

function textOf(path: string): string {
  try {
    return readOrdinaryFile(path, SIGNATURE_BYTES_MAX);
  } catch (error) {
    throw error instanceof Fault
      ? new CommandRefused(`${path} is not a public key, and not a readable file: ${error.message}`)
      : error;
  }
}
