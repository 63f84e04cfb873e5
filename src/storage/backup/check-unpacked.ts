import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { InstallationKeyRefused, readSecret, secretIn } from '../installation/installation-key.ts';
import { heldSecret } from '../installation/shared-keys.ts';
import { BackupRefused } from './backup-refused.ts';
import { lookThrough } from './database-contents.ts';
import { DATABASE_MEMBER, KEY_MEMBER, type Manifest } from './manifest.ts';

/**
 * Checks that unpacked files match their manifest and are usable.
 *
 * @throws BackupRefused
 */
export function checkUnpacked(directory: string, manifest: Manifest): void {
  const [database, key] = [join(directory, DATABASE_MEMBER), join(directory, KEY_MEMBER)];
  if (!manifest.database) checkRows(database, manifest);
  try {
    if (manifest.database) heldSecret(key, manifest.database.key_fingerprint, secretIn(key));
    else readSecret(key, database);
  } catch (error) {
    if (!(error instanceof InstallationKeyRefused)) throw error;
    throw new BackupRefused(
      'its installation.key is missing, damaged or belongs to another database. Use another backup',
    );
  }
}

function checkRows(database: string, manifest: Manifest): void {
  const { version, counts } = lookThrough(database);
  if (version === manifest.schema_version && isDeepStrictEqual(counts, { ...manifest.counts })) return;
  throw new BackupRefused('the rows of its database do not match its manifest. Use another backup');
}
