import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { isHostHere, type PostgresAddress } from '../../settings/database-address.ts';
import type { ServerFacts, TableFacts } from '../../storage/engine/postgres/server-facts.ts';
import { type Finding, failure, inMb, warning } from './finding.ts';
import type { Growth } from './room.ts';

/** What a node opens at most, and a command beside it (docs/scaling.md). */
const CONNECTIONS_PER_NODE = 20;
const CONNECTIONS_SPARE = 10;
/** The number of dead rows that delays readers of a table of any size. */
const DEAD_MIN = 100_000;
const DAYS_AHEAD = 30;
const LARGE_BYTES = 10_000_000_000;
/** What a clock may differ: a node's moments then still follow one another. */
const CLOCK_MS_MAX = 5 * SECOND_MS;
/** Verifiers of our signatures accept no greater difference of clocks. */
const CLOCK_MS_GRAVE = 5 * MINUTE_MS;

/** Checks the configuration of a PostgreSQL server. */
export const judgeServer = (facts: ServerFacts, address: PostgresAddress): Finding[] => [
  ...judgeTls(facts, address),
  ...judgeDurability(facts),
  ...judgeClocks(facts),
  ...judgeConnections(facts),
];

function judgeTls({ hasTls }: ServerFacts, { host }: PostgresAddress): Finding[] {
  if (hasTls || host.startsWith('/') || isHostHere(host) || host === '::1') return [];
  const what = 'the connection to the database uses a network without TLS';
  return [failure('database-tls', what, 'enable TLS on the server: ssl = on in its postgresql.conf')];
}

function judgeDurability({ isReadOnly, doesFlush }: ServerFacts): Finding[] {
  const findings: Finding[] = [];
  if (isReadOnly) {
    const what = 'the database is read-only: its server is a standby, or set to read-only';
    const todo = 'promote it, or set SERVICE_DATABASE_URL to the primary';
    findings.push(failure('database-read-only', what, todo));
  }
  if (!doesFlush) {
    const what = 'fsync is off on the database server: a power failure can lose or damage all data';
    findings.push(failure('database-not-durable', what, 'turn it on, and reload the server'));
  }
  return findings;
}

function judgeClocks({ now, askedAt, tookMs }: ServerFacts): Finding[] {
  // The server has read its clock at some time in between.
  const apart = Math.abs(now - askedAt) - tookMs / 2;
  if (apart <= CLOCK_MS_MAX) return [];
  const grave = apart > CLOCK_MS_GRAVE ? failure : warning;
  const which = now > askedAt ? 'behind' : 'ahead of';
  const what = `the clock of this host is ${Math.round(apart / SECOND_MS)} seconds ${which} that of the database`;
  return [grave('clock-differs', what, 'synchronize both with a time server: timedatectl set-ntp true')];
}

function judgeConnections({ connectionsMax, nodes }: ServerFacts): Finding[] {
  const servers = Math.max(1, nodes);
  const needed = CONNECTIONS_PER_NODE * servers + CONNECTIONS_SPARE;
  if (connectionsMax >= needed) return [];
  const what = `the database allows ${connectionsMax} connections, but ${servers} nodes may require ${needed}`;
  const todo = 'raise max_connections on the server, or the limit of the database or its user';
  return [warning('database-connections', what, todo)];
}

/** Checks that a database is vacuumed. */
export function judgeTables({ doesVacuum }: ServerFacts, tables: readonly TableFacts[]): Finding[] {
  const findings: Finding[] = [];
  const alone = tables.filter(({ isLeftAlone }) => isLeftAlone).map(({ name }) => name);
  if (!doesVacuum || alone.length > 0) {
    const of = doesVacuum ? `for ${alone.join(', ')}` : 'for the whole server';
    const what = `autovacuum, or track_counts, is off ${of}: tables grow, and queries slow down`;
    findings.push(warning('database-autovacuum', what, 'turn it on'));
  }
  const full = tables.filter(({ live, dead }) => dead > Math.max(DEAD_MIN, live));
  if (full.length > 0) {
    const what = `more rows are dead than live: ${full.map(({ name, dead }) => `${dead} of ${name}`).join(', ')}`;
    const todo = 'end long transactions (see pg_stat_activity), then VACUUM these tables';
    findings.push(warning('database-dead-rows', what, todo));
  }
  return findings;
}

/** Whether a database will soon more than double. Its server does not report the free room of its disk. */
export function judgeGrowth({ databaseBytes, bytesADay, days, retentionDays }: Growth): Finding[] {
  const ahead = Math.max(0, Math.min(DAYS_AHEAD, retentionDays - days));
  const added = bytesADay * ahead;
  if (added < Math.max(databaseBytes, LARGE_BYTES)) return [];
  const what = `the database has ${inMb(databaseBytes)} and may grow by ${inMb(added)} within ${Math.floor(ahead)} days`;
  const todo = 'check the disk space of its server, or lower SERVICE_RETENTION_DAYS and reload';
  return [warning('database-growing', what, todo)];
}
