import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { isHostHere, type PostgresAddress } from '../../settings/database-address.ts';
import type { ServerFacts, TableFacts } from '../../storage/engine/postgres/server-facts.ts';
import { type Finding, failure, inMb, warning } from './finding.ts';
import type { Growth } from './room.ts';

/** What a node opens at most, and a command beside it (docs/scaling.md). */
const CONNECTIONS_PER_NODE = 20;
const CONNECTIONS_SPARE = 10;
/** From how much dead rows delay who reads a table, whatever its size. */
const DEAD_MIN = 100_000;
const DAYS_AHEAD = 30;
const LARGE_BYTES = 10_000_000_000;
/** What a clock may differ: a node's moments then still follow one another. */
const CLOCK_MS_MAX = 5 * SECOND_MS;
/** Whoever checks what is signed here takes its moments no further apart. */
const CLOCK_MS_GRAVE = 5 * MINUTE_MS;

/** What is the matter with a server of PostgreSQL, as one connection to it tells. */
export const judgeServer = (facts: ServerFacts, address: PostgresAddress): Finding[] => [
  ...judgeTls(facts, address),
  ...judgeDurability(facts),
  ...judgeClocks(facts),
  ...judgeConnections(facts),
];

function judgeTls({ hasTls }: ServerFacts, { host }: PostgresAddress): Finding[] {
  if (hasTls || host.startsWith('/') || isHostHere(host) || host === '::1') return [];
  const what = 'the connection to the database goes over a network without TLS';
  return [failure('database-tls', what, 'switch TLS on at the server: ssl = on in its postgresql.conf')];
}

function judgeDurability({ isReadOnly, doesFlush }: ServerFacts): Finding[] {
  const findings: Finding[] = [];
  if (isReadOnly) {
    const what = 'the database takes no changes: its server is a standby, or read-only';
    const todo = 'promote it, or have SERVICE_DATABASE_URL name the primary';
    findings.push(failure('database-read-only', what, todo));
  }
  if (!doesFlush) {
    const what = 'fsync is off at the server of the database: a power cut may lose or damage all of it';
    findings.push(failure('database-not-durable', what, 'set it to on, and reload the server'));
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
  return [grave('clock-differs', what, 'have both follow a time server: timedatectl set-ntp true')];
}

function judgeConnections({ connectionsMax, nodes }: ServerFacts): Finding[] {
  const servers = Math.max(1, nodes);
  const needed = CONNECTIONS_PER_NODE * servers + CONNECTIONS_SPARE;
  if (connectionsMax >= needed) return [];
  const what = `the database has ${connectionsMax} connections for ${servers} nodes, which may need ${needed}`;
  const todo = 'raise max_connections at the server, or the limit of the database or of its user';
  return [warning('database-connections', what, todo)];
}

/** Whether a database is cleaned of dead rows. */
export function judgeTables({ doesVacuum }: ServerFacts, tables: readonly TableFacts[]): Finding[] {
  const findings: Finding[] = [];
  const alone = tables.filter(({ isLeftAlone }) => isLeftAlone).map(({ name }) => name);
  if (!doesVacuum || alone.length > 0) {
    const of = doesVacuum ? `for ${alone.join(', ')}` : 'for the whole server';
    const what = `autovacuum, or track_counts, is off ${of}: tables grow, and reading them becomes slow`;
    findings.push(warning('database-autovacuum', what, 'switch it on'));
  }
  const full = tables.filter(({ live, dead }) => dead > Math.max(DEAD_MIN, live));
  if (full.length > 0) {
    const what = `more rows are dead than alive: ${full.map(({ name, dead }) => `${dead} of ${name}`).join(', ')}`;
    const todo = 'end transactions that are open for long (pg_stat_activity tells), then VACUUM these tables';
    findings.push(warning('database-dead-rows', what, todo));
  }
  return findings;
}

/** Whether a database will soon be more than twice as large. How much room its disk has, its server does not tell. */
export function judgeGrowth({ databaseBytes, bytesADay, days, retentionDays }: Growth): Finding[] {
  const ahead = Math.max(0, Math.min(DAYS_AHEAD, retentionDays - days));
  const added = bytesADay * ahead;
  if (added < Math.max(databaseBytes, LARGE_BYTES)) return [];
  const what = `the database has ${inMb(databaseBytes)} and will get up to ${inMb(added)} more in ${Math.floor(ahead)} days`;
  const todo = 'see that the disk of its server has room, or shorten SERVICE_RETENTION_DAYS and reload';
  return [warning('database-growing', what, todo)];
}
