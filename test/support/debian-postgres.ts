import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, runPostgres, startPostgres } from './postgres.ts';

const HOME = '/usr/lib/postgresql';
/** The oldest supported release. */
const VERSION_MIN = 15;

/**
 * The path of Debian's PostgreSQL with all its programs; the package for tests has only the server. Undefined
 * without an installation.
 */
export const debianPostgres: string | undefined = (existsSync(HOME) ? readdirSync(HOME) : [])
  .filter((version) => Number(version) >= VERSION_MIN)
  .toSorted((one, other) => Number(one) - Number(other))
  .map((version) => join(HOME, version, 'bin'))
  .find((programs) => existsSync(join(programs, 'pg_basebackup')));

/** Runs a program of a server that needs no other user. */
export const debianProgram = (name: string): string => join(debianPostgres ?? '', name);

/** Starts one of Debian's servers with a new cluster. */
export const startDebianPostgres = (settings: readonly string[] = []): Promise<PostgresServer> =>
  startPostgres(settings, { programs: debianPostgres ?? '' });

/** Starts a server with a copy of another one's data. */
export const startCopy = (
  of: PostgresServer,
  settings: readonly string[] = [],
  /** The name under which it continues to follow the other one; undefined = it is independent. */
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

/** Promotes a standby. */
export function promote({ directory }: PostgresServer): void {
  runPostgres(debianProgram('pg_ctl'), 'promote', '-w', '-D', join(directory, 'data'));
}
