import { Fault } from '../../lib/fault.ts';
import { within } from '../../lib/within.ts';
import { connectLimitsServer } from '../../outside/limits-server.ts';
import { DATABASE_SETTING, type PostgresAddress } from '../../settings/database-address.ts';
import type { LimitsAddress } from '../../settings/limits-address.ts';
import { type Database, disconnect, isAway } from '../../storage/engine/database.ts';
import { MIGRATIONS } from '../../storage/engine/migrations.ts';
import { connectPostgres } from '../../storage/engine/postgres/database.ts';
import { postgresVersion } from '../../storage/engine/postgres/migrate.ts';
import { examineServer } from '../../storage/engine/postgres/server.ts';
import {
  readServerFacts,
  readTableFacts,
  type ServerFacts,
} from '../../storage/engine/postgres/server-facts.ts';
import { InstallationKeyRefused } from '../../storage/installation/installation-key.ts';
import { isRestorePending } from '../../storage/installation/pending-restore.ts';
import { refuseOtherKeys } from '../../storage/installation/shared-keys.ts';
import { AWAY, type Finding, failure, restorePending, warning, worded } from './finding.ts';
import { judgeServer, judgeTables } from './postgres-judging.ts';

/** One that is there answers at once. What is wrong with a standby is to be told. */
const PROBE = { connectionsMax: 1, timeoutMs: 5_000, mayBeStandby: true };
/** What is looked at in tables of any length takes a while. */
const PATIENT_MS = 30_000;
const LIMITS_MS_MAX = 4_000;

/** What a look at a database of PostgreSQL gives. */
export interface PostgresLook {
  readonly findings: readonly Finding[];
  /** Open for reading; undefined where it cannot be relied on. */
  readonly db: Database | undefined;
  readonly bytes: number;
  /** Has nothing more asked of it, because it does not answer. */
  giveUp(): void;
}

/** Looks at the server of a database and at how it is reached; it may be away. */
export const examinePostgresServer = async (address: PostgresAddress): Promise<readonly Finding[]> =>
  (await probe(address)).findings;

async function probe(address: PostgresAddress): Promise<{ findings: Finding[]; facts?: ServerFacts }> {
  const db = connectPostgres(address, PROBE);
  try {
    await examineServer(db, address);
    const facts = await readServerFacts(db);
    return { findings: judgeServer(facts, address), facts };
  } catch (error) {
    if (isAway(error)) return { findings: [AWAY] };
    if (!(error instanceof Fault)) throw error;
    const words = error.message.replace(`${DATABASE_SETTING}: `, `${DATABASE_SETTING} cannot be used: `);
    return { findings: [worded('database-refused', new Fault(words), `correct ${DATABASE_SETTING}`)] };
  } finally {
    await disconnect(db);
  }
}

/**
 * Checks a PostgreSQL database and compares the keys.
 *
 * @param keys the directory of the keys
 */
export async function examinePostgres(address: PostgresAddress, keys: string): Promise<PostgresLook> {
  const { findings, facts } = await probe(address);
  const nothing = { db: undefined, bytes: 0, giveUp: () => {} };
  if (facts === undefined) return { ...nothing, findings };
  let isGone = false;
  const db = connectPostgres(address, {
    ...PROBE,
    timeoutMs: PATIENT_MS,
    isAway: () => isGone,
  });
  try {
    const version = await postgresVersion(db);
    findings.push(...judgePostgresVersion(version), ...judgeTables(facts, await readTableFacts(db)));
    if (version === MIGRATIONS.length) {
      findings.push(...(isRestorePending(keys) ? [restorePending(keys)] : await examineKeys(db, keys)));
      const giveUp = () => {
        isGone = true;
      };
      return { findings, db, bytes: facts.bytes, giveUp };
    }
  } catch (error) {
    findings.push(isAway(error) ? AWAY : worded('database', error as Error, 'check it with psql'));
  }
  await disconnect(db);
  return { ...nothing, findings };
}

/** Whether a database of PostgreSQL is of this binary's version; 0 = there is nothing in it. */
export function judgePostgresVersion(version: number, ours: number = MIGRATIONS.length): Finding[] {
  const what = `the database has version ${version}, but this executable requires ${ours}`;
  if (version === ours) return [];
  if (version === 0) {
    const todo = 'restore it from a backup or, for a new one, create its tables with "redoubt init"';
    return [failure('database-missing', `the database of ${DATABASE_SETTING} is empty`, todo)];
  }
  if (version > ours) return [failure('database-newer', what, 'use the newer redoubt')];
  const todo =
    'run "redoubt migrate" ("redoubt migrate --status" shows what would change): nodes of this version wait for it';
  return [failure('database-older', what, todo)];
}

async function examineKeys(db: Database, keys: string): Promise<Finding[]> {
  try {
    await refuseOtherKeys(db, keys);
    return [];
  } catch (error) {
    const isKey = error instanceof InstallationKeyRefused;
    if (!isKey && !(error instanceof Fault)) throw error;
    return [worded(isKey ? 'installation-key' : 'evidence-key', error, 'copy the keys from another node')];
  }
}

/** Checks that the server of shared limits counts, by drawing nothing from a separate bucket. */
export async function examineLimitsServer(address: LimitsAddress): Promise<Finding[]> {
  const server = await connectLimitsServer(address, 'redoubt:doctor');
  try {
    const answer = await within(Promise.resolve(server.ask([])), LIMITS_MS_MAX);
    return answer === 'timeout' ? [judgeLimits('it does not respond')] : [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [judgeLimits(error.message)];
  } finally {
    server.close();
  }
}

const judgeLimits = (why: string): Finding =>
  warning(
    'limits-server',
    `the server of SERVICE_LIMITS_URL does not count rate limits, so each node counts its own (${why})`,
    'start it, or correct SERVICE_LIMITS_URL',
  );
