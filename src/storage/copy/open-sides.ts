import {
  claimDataDirectory,
  DataDirectoryUnusable,
  findDataDirectory,
  installationKeyPath,
} from '../engine/data-directory.ts';
import { DatabaseUnusable } from '../engine/database.ts';
import { becomeOwner } from '../engine/ownership.ts';
import { secretIn } from '../installation/installation-key.ts';
import { finishAlone, finishRestore } from '../installation/pending-restore.ts';
import { heldSecret } from '../installation/shared-keys.ts';
import { type NamedAddress, postgresSource, postgresTarget } from './postgres-side.ts';
import type { CopySource, CopyTarget } from './sides.ts';
import { sqliteSource, sqliteTarget } from './sqlite-side.ts';

/** The source and the target of a copy. */
export interface CopyEnds {
  readonly dataDir: string;
  /** The directory of installation.key. */
  readonly keysDir: string;
  /** The store in the settings; undefined = in the data directory. */
  readonly here: NamedAddress | undefined;
  readonly there: NamedAddress;
  /** Whether `there` is the source. */
  readonly isFrom: boolean;
}

/**
 * Opens both stores exclusively. The key in the data directory must be that of the source.
 *
 * @throws ConfigRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused
 */
export async function withSides<Value>(
  { dataDir, keysDir, here, there, isFrom }: CopyEnds,
  use: (source: CopySource, target: CopyTarget) => Promise<Value>,
): Promise<Value> {
  if (here && isSame(here, there))
    throw new DatabaseUnusable(`${there.named} and ${here.named} name the same database. Use another one`);
  if (!findDataDirectory(dataDir))
    throw new DataDirectoryUnusable(
      `${dataDir} does not exist. Set SERVICE_DATA_DIR, and put installation.key and signing/ of the installation there`,
    );
  becomeOwner(dataDir);
  const release = here ? () => {} : claimDataDirectory(dataDir);
  const opened: CopySource[] = [];
  const kept = <Side extends CopySource>(side: Side): Side => {
    opened.push(side);
    return side;
  };
  try {
    if (here) finishAlone(keysDir);
    else finishRestore(dataDir);
    const key = installationKeyPath(keysDir);
    const ends: [NamedAddress | undefined, NamedAddress | undefined] = isFrom ? [there, here] : [here, there];
    const [from, to] = ends;
    const source = kept(from ? await postgresSource(from) : sqliteSource(dataDir));
    heldSecret(key, await source.fingerprint(), secretIn(key));
    const target = kept(to ? await postgresTarget(to) : sqliteTarget(dataDir));
    return await use(source, target);
  } finally {
    for (const side of opened) await side.close();
    release();
  }
}

const isSame = (one: NamedAddress, other: NamedAddress): boolean =>
  one.address.host === other.address.host &&
  one.address.port === other.address.port &&
  one.address.database === other.address.database;
