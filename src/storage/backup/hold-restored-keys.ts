import { Fault } from '../../lib/fault.ts';
import type { PostgresAddress } from '../../settings/database-address.ts';
import { disconnect } from '../engine/database.ts';
import { connectPostgres } from '../engine/postgres/database.ts';
import { postgresVersion, refuseNewerPostgres } from '../engine/postgres/migrate.ts';
import { examineServer } from '../engine/postgres/server.ts';
import { InstallationKeyRefused } from '../installation/installation-key.ts';
import { refuseOlder } from '../installation/postgres-installation.ts';
import { refuseOtherKeys } from '../installation/shared-keys.ts';
import { BackupRefused } from './backup-refused.ts';

/** After the loss of a host, its database may be lost too: do not wait long for it. */
const LOOK = { connectionsMax: 1, timeoutMs: 5_000 };

/**
 * Compares the keys of a backup with the database in the settings, if it is reachable.
 *
 * @param directory which contains the unpacked keys
 * @returns why they could not be compared, in words for the operator; undefined when they match
 * @throws BackupRefused when they belong to another database
 */
export async function holdRestoredKeys(
  address: PostgresAddress,
  directory: string,
): Promise<string | undefined> {
  const db = connectPostgres(address, LOOK);
  try {
    await examineServer(db, address);
    const version = await postgresVersion(db);
    if (version === 0) return 'it is still empty';
    refuseNewerPostgres(version);
    refuseOlder(version);
    await refuseOtherKeys(db, directory);
    return undefined;
  } catch (error) {
    if (error instanceof InstallationKeyRefused)
      throw new BackupRefused(
        'its keys do not match the database of SERVICE_DATABASE_URL. Use the backup of that database, or name the right database',
      );
    if (error instanceof Fault) return error.message;
    throw error;
  } finally {
    await disconnect(db);
  }
}
