import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, runPostgres, startPostgres } from './postgres.ts';

const HOME = '/usr/lib/postgresql';
/** The oldest release that is served. */
const VERSION_MIN = 15;

/**
 * Where Debian's package has PostgreSQL with all its programs, of which the one for tests has but the server; undefined where
 * none is installed.
 */
export const debianPostgres: string | undefined = (existsSync(HOME) ? readdirSync(HOME) : [])
  .filter((version) => Number(version) >= VERSION_MIN)
  .toSorted((one, other) => Number(one) - Number(other))
  .map((version) => join(HOME, version, 'bin'))
  .find((programs) => existsSync(join(programs, 'pg_basebackup')));

/** Runs what comes with a server, and does not need to be somebody else for it. */
export const debianProgram = (name: string): string => join(debianPostgres ?? '', name);

/** Starts one of Debian's servers with a cluster of its own. */
export const startDebianPostgres = (settings: readonly string[] = []): Promise<PostgresServer> =>
  startPostgres(settings, { programs: debianPostgres ?? '' });

/** Starts a server that begins with all that another one holds. */
export const startCopy = (
  of: PostgresServer,
  settings: readonly string[] = [],
  /** The name under which it goes on following the other one; undefined = it goes its own way. */
  standby?: string,
): Promise<PostgresServer> =>
  startPostgres(settings, {
    programs: debianPostgres ?? '',
    makeCluster(data) {
      const { host, user } = of.address;
      const from = `host=${host} user=${user}${standby === undefined ? '' : ` application_name=${standby}`}`;
      runPostgres(
        debianProgram('pg_basebackup'),
        '-D',
        data,
        '-d',
        from,
        '-c',
        'fast',
        '--no-sync',
        ...(standby === undefined ? [] : ['-R']),
      );
    },
  });

/** Has a standby take changes from now on. */
export function promote({ directory }: PostgresServer): void {
  runPostgres(debianProgram('pg_ctl'), 'promote', '-w', '-D', join(directory, 'data'));
}
