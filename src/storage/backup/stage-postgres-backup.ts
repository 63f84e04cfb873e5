import { readFileSync } from 'node:fs';
import type { PostgresAddress } from '../../settings/database-address.ts';
import { installationKeyPath } from '../engine/data-directory.ts';
import { disconnect } from '../engine/database.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { prepare } from '../engine/statement.ts';
import { type Directories, openPostgresInstallation } from '../installation/postgres-installation.ts';
import { fingerprintOf, refuseOtherKeys } from '../installation/shared-keys.ts';
import { type DatabaseElsewhere, KEY_MEMBER, type NewManifest, SETTINGS_MEMBER } from './manifest.ts';
import type { StagedBackup, StageOptions } from './stage-backup.ts';
import { EVIDENCE_HEAD, leftOutOf, madeNow, ofBytes, signingFiles } from './staged-members.ts';

export interface PostgresStageOptions extends Pick<StageOptions, 'settings' | 'now'> {
  readonly directories: Directories;
  readonly address: PostgresAddress;
}

/** A staged backup with a description of its database. */
export interface StagedOfPostgres extends StagedBackup {
  readonly manifest: NewManifest & { readonly database: DatabaseElsewhere };
}

/**
 * Collects the files that belong to a PostgreSQL database, without its rows: the keys, which must be those of the database, and
 * a description of it. The signed heads of logs stay with the node that signed them.
 *
 * @throws ConfigRefused, DatabaseUnusable, InstallationKeyRefused, BackupRefused, Fault
 */
export async function stagePostgresBackup(options: PostgresStageOptions): Promise<StagedOfPostgres> {
  const { directories, address, settings, now } = options;
  const { keys } = directories;
  const db = await openPostgresInstallation(directories, address);
  try {
    const secret = await refuseOtherKeys(db, keys);
    const server = prepare<{ version: string }>(db, "select current_setting('server_version') as version");
    return {
      manifest: {
        ...(await madeNow(db, now)),
        schema_version: MIGRATIONS.length,
        database: {
          engine: 'postgresql',
          version: (await server.get())?.version ?? '',
          name: address.database,
          key_fingerprint: fingerprintOf(secret),
        },
        counts: {},
      },
      members: [
        ofBytes(KEY_MEMBER, readFileSync(installationKeyPath(keys))),
        ofBytes(SETTINGS_MEMBER, Buffer.from(settings)),
        ...signingFiles(keys, (name) => name !== EVIDENCE_HEAD),
      ],
      leftOut: leftOutOf(keys),
      close: () => {},
    };
  } finally {
    await disconnect(db);
  }
}
