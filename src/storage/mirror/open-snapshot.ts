import { DatabaseSync } from 'node:sqlite';
import type { Ecosystem } from '../../domain/vulnerability/ecosystem.ts';
import type { KnownVulnerability, VulnerabilityData } from '../../domain/vulnerability/known.ts';
import type { ComponentRecords } from '../../domain/vulnerability/match.ts';
import type { AffectedComponent } from '../../domain/vulnerability/record.ts';
import { rememberSome } from '../../lib/remember-some.ts';
import { DatabaseUnusable } from '../engine/database.ts';
import { readKnownFacts } from './known-facts.ts';
import type { AffectedBody, RecordBody } from './record-body.ts';
import {
  checkBytes,
  refuseOtherSnapshot,
  type SnapshotId,
  snapshotPath,
  snapshotUri,
  unreadable,
} from './snapshot-files.ts';
import { readSources, type SnapshotSource } from './snapshot-sources.ts';
import { parseLimits } from './stored-limits.ts';
import { readStatements, readStatementsOn } from './vex-statements.ts';

/** A snapshot that is open for reading. */
export interface Snapshot extends VulnerabilityData {
  readonly id: SnapshotId;
  /** By name. */
  readonly sources: readonly SnapshotSource[];
  close(): void;
}

/** Cached records: inventories read those of one component often, and one may have thousands. */
const RECORDS_REMEMBERED = 30_000;
const VULNERABILITIES_REMEMBERED = 2_000;
const REFERENCES_MAX = 10;
const CACHE_KIB = 4 * 1024;

/** @throws DatabaseUnusable when it is missing or unreadable */
export function openSnapshot(path: string, id: SnapshotId): Snapshot {
  let client: DatabaseSync | undefined;
  try {
    client = new DatabaseSync(snapshotUri(path), { readOnly: true });
    refuseOtherSnapshot(client, path);
    client.exec(`PRAGMA trusted_schema = OFF; PRAGMA cache_size = -${CACHE_KIB}`);
    return readSnapshot(client, id);
  } catch (error) {
    client?.close();
    throw error instanceof DatabaseUnusable ? error : unreadable(path, error);
  }
}

/**
 * Opens a stored snapshot after comparing its bytes with its hash.
 *
 * @throws DatabaseUnusable
 */
export async function openKeptSnapshot(directory: string, id: SnapshotId): Promise<Snapshot> {
  const path = snapshotPath(directory, id);
  await checkBytes(path, id);
  return openSnapshot(path, id);
}

function readSnapshot(client: DatabaseSync, id: SnapshotId): Snapshot {
  const ecosystems = new Set<string>();
  for (const { name } of client.prepare('select name from ecosystems').all() as { name: string }[])
    ecosystems.add(name).add(name.split(':', 1)[0] ?? name);
  const find = client.prepare('select vulnerability from vulnerability_names where name = ?');
  const get = knownVulnerabilities(client);
  const affected = affectedComponents(client);
  return {
    id,
    sources: readSources(client),
    hasDataOf: (ecosystem) => ecosystems.has(ecosystem),
    recordsOf: componentRecords(client),
    get,
    find: (name) => (find.get(name) as { vulnerability: number } | undefined)?.vulnerability,
    affectedBy: affected,
    statementsOn: readStatementsOn(client),
    close: () => client.close(),
  };
}

interface AffectedRow {
  readonly ecosystem: string;
  readonly name: string;
  readonly body: string;
}

const affectedOf = ({ ecosystem, name, body }: AffectedRow): AffectedComponent => ({
  ecosystem: ecosystem as Ecosystem,
  name,
  ...(JSON.parse(body) as AffectedBody),
});

function componentRecords(client: DatabaseSync): Snapshot['recordsOf'] {
  const select = client.prepare(`
    select r.vulnerability, a.ecosystem, a.name, a.body
    from component_names n join affected a on a.id = n.affected join records r on r.id = a.record
    where n.name_hash = ?
  `);
  const statementsOf = readStatements(client);
  const find = (nameHash: string): ComponentRecords[] | undefined => {
    const rows = select.all(nameHash) as unknown as (AffectedRow & { vulnerability: number })[];
    if (rows.length === 0) return undefined;
    const stated = [...new Set(rows.map(({ name }) => name))].map(statementsOf);
    return [...Map.groupBy(rows, (row) => row.vulnerability)].map(([vulnerability, ofIt]) => ({
      vulnerability,
      records: ofIt.map(affectedOf),
      statements: stated.flatMap((each) => each.get(vulnerability) ?? []),
    }));
  };
  const remembered = rememberSome(find, RECORDS_REMEMBERED, (known) =>
    known.reduce((sum, { records, statements = [] }) => sum + records.length + statements.length, 0),
  );
  return (nameHash) => remembered(nameHash) ?? [];
}

function affectedComponents(client: DatabaseSync): Snapshot['affectedBy'] {
  const select = client.prepare(`
    select a.ecosystem, a.name, a.body from records r
    join sources s on s.id = r.source join affected a on a.record = r.id
    where r.vulnerability = ? order by s.name, r.name, a.id limit ?
  `);
  return (vulnerability, limit) =>
    (select.all(vulnerability, limit) as unknown as AffectedRow[]).map(affectedOf);
}

interface VulnerabilityRow {
  readonly name: string;
  readonly aliases: string;
  readonly cves: string;
  readonly knownSince: number;
  readonly limits: string;
}

interface RecordRow {
  readonly source: string;
  readonly modifiedAt: number | null;
  readonly body: string;
}

function knownVulnerabilities(client: DatabaseSync): Snapshot['get'] {
  const select = client.prepare(`
    select name, aliases, cves, known_since as knownSince, limits from vulnerabilities where id = ?
  `);
  const records = client.prepare(`
    select s.name as source, r.modified_at as modifiedAt, r.body
    from records r join sources s on s.id = r.source where r.vulnerability = ? order by s.name, r.name
  `);
  const factsOf = readKnownFacts(client);
  const remembered = rememberSome((number: number): KnownVulnerability | undefined => {
    const row = select.get(number) as unknown as VulnerabilityRow | undefined;
    if (row === undefined) return undefined;
    const rows = records.all(number) as unknown as RecordRow[];
    const bodies = rows.map(({ body }) => JSON.parse(body) as RecordBody);
    return {
      id: row.name,
      aliases: JSON.parse(row.aliases),
      title: bodies.map(({ title }) => title).find((title) => title !== '') ?? '',
      cwe: [...new Set(bodies.flatMap(({ cwe }) => cwe))],
      publishedAt: earliest(bodies.map(({ publishedAt }) => publishedAt)),
      modifiedAt: latest(rows.map(({ modifiedAt }) => modifiedAt)),
      references: [...new Set(bodies.flatMap(({ references }) => references))].slice(0, REFERENCES_MAX),
      sources: [...new Set(rows.map(({ source }) => source))],
      facts: factsOf(bodies, JSON.parse(row.cves)),
      knownSince: row.knownSince,
      ...parseLimits(row.limits),
    };
  }, VULNERABILITIES_REMEMBERED);
  return (number) => {
    const known = remembered(number);
    if (known === undefined) throw new Error('a snapshot lacks a vulnerability that it names');
    return known;
  };
}

const known = (moments: readonly (number | null)[]): number[] => moments.filter((moment) => moment !== null);

const earliest = (moments: readonly (number | null)[]): number | null =>
  known(moments).reduce<number | null>((first, moment) => Math.min(first ?? moment, moment), null);

const latest = (moments: readonly (number | null)[]): number | null =>
  known(moments).reduce<number | null>((last, moment) => Math.max(last ?? moment, moment), null);
