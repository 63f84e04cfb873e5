import type { DatabaseSync } from 'node:sqlite';
import { type CvssEvidence, weighCvss } from '../../domain/risk/cvss.ts';
import { type LimitsByReach, renewLimits } from '../../domain/risk/day-limits.ts';
import { deadlineFor } from '../../domain/risk/deadline.ts';
import { decisionPoints } from '../../domain/risk/decision-points.ts';
import type { Exploitation, Exposure } from '../../domain/risk/facts.ts';
import { BRIEF_ABSENCE_MS } from '../../domain/vulnerability/brief-absence.ts';
import { joinRecords } from '../../domain/vulnerability/join.ts';
import type { KnownFacts } from '../../domain/vulnerability/known.ts';
import { readKnownFacts } from './known-facts.ts';
import type { RecordBody } from './record-body.ts';
import { parseLimits, type StandingLimits, storeLimits } from './stored-limits.ts';

/** The facts of a vulnerability that outlast a snapshot. */
interface Remembered extends StandingLimits {
  readonly knownSince: number;
}

interface RememberedRow {
  readonly knownSince: number;
  readonly limits: string;
}

/** Vulnerabilities between two calls of `onJoining`. */
const TOLD_EVERY = 1_000;

/**
 * Joins the records of an unfinished snapshot to vulnerabilities. The times since when one is known, and since when its
 * deadline is short, are copied from the base by any of its names, even if the base lacked it for a short time.
 */
export function joinSnapshot(
  client: DatabaseSync,
  hasBase: boolean,
  nowMs: number,
  onJoining: (vulnerabilities: number) => void,
): void {
  const insert = client.prepare('insert into vulnerabilities values (?, ?, ?, ?, ?, ?)');
  const name = client.prepare('insert or ignore into vulnerability_names values (?, ?)');
  const assign = client.prepare('update records set vulnerability = ? where id = ?');
  const body = client.prepare('select body from records where id = ?');
  const rememberedAs = hasBase ? rememberedIn(client, nowMs) : () => [];
  const factsOf = readKnownFacts(client);

  let number = 0;
  for (const { id, aliases, cves, records } of joinRecords(namedRecords(client))) {
    number += 1;
    if (number % TOLD_EVERY === 0) onJoining(number);
    const names = [id, ...aliases];
    const known = names.flatMap(rememberedAs);
    const bodies = records.map(
      ({ row }) => JSON.parse((body.get(row) as { body: string }).body) as RecordBody,
    );
    const facts = factsOf(bodies, cves);
    const cvss = weighCvss(facts.cvssVectors);
    const since = (exploitation: Exploitation | null, before: readonly LimitsByReach[]) =>
      limitsOf(facts, cvss, exploitation, before, nowMs);
    insert.run(
      number,
      id,
      JSON.stringify(aliases),
      JSON.stringify(cves),
      Math.min(nowMs, ...known.map(({ knownSince }) => knownSince)),
      storeLimits({
        limits: since(
          null,
          known.map(({ limits }) => limits),
        ),
        limitsIfExploited: since(
          'active',
          known.map(({ limitsIfExploited }) => limitsIfExploited),
        ),
      }),
    );
    for (const each of names) name.run(each, number);
    for (const { row } of records) assign.run(number, row);
  }
  if (hasBase) rememberGone(client, nowMs);
}

/** Copies what the base knew by names that no record has any longer. */
function rememberGone(client: DatabaseSync, nowMs: number): void {
  const isGone = 'name not in (select name from main.vulnerability_names)';
  client
    .prepare(
      `
      insert into gone_names select n.name, v.known_since, v.limits, ?
      from base.vulnerability_names n join base.vulnerabilities v on v.id = n.vulnerability where n.${isGone}
      `,
    )
    .run(nowMs);
  client
    .prepare(`insert or ignore into gone_names select * from base.gone_names where gone_at > ? and ${isGone}`)
    .run(nowMs - BRIEF_ABSENCE_MS);
}

/** What the base knows by a name, or knew recently. */
function rememberedIn(client: DatabaseSync, nowMs: number): (name: string) => Remembered[] {
  const known = client.prepare(`
    select known_since as knownSince, limits
    from base.vulnerability_names n join base.vulnerabilities v on v.id = n.vulnerability where n.name = ?
  `);
  const gone = client.prepare(
    'select known_since as knownSince, limits from base.gone_names where name = ? and gone_at > ?',
  );
  return (name) => {
    const row = (known.get(name) ?? gone.get(name, nowMs - BRIEF_ABSENCE_MS)) as RememberedRow | undefined;
    return row === undefined ? [] : [{ knownSince: row.knownSince, ...parseLimits(row.limits) }];
  };
}

/** Since when its deadline is short, for publicly reachable components and for others. */
function limitsOf(
  facts: KnownFacts,
  cvss: CvssEvidence | undefined,
  assertedExploitation: Exploitation | null,
  before: readonly LimitsByReach[],
  nowMs: number,
): LimitsByReach {
  const deadline = (exposure: Exposure) =>
    deadlineFor(
      decisionPoints({ ...facts, exposure, assertedExploitation, importance: null, component: null }, cvss),
    );
  return {
    open: renewLimits(
      deadline('open'),
      before.map(({ open }) => open),
      nowMs,
    ),
    closed: renewLimits(
      deadline('controlled'),
      before.map(({ closed }) => closed),
      nowMs,
    ),
  };
}

interface NamedRow {
  readonly id: number;
  readonly name: string;
  readonly aliases: string;
  readonly upstream: string;
}

const NO_NAMES: readonly string[] = [];
const namesIn = (json: string): readonly string[] => (json === '[]' ? NO_NAMES : JSON.parse(json));

/** Ordered by source and name, so that the same records give the same result. */
function namedRecords(client: DatabaseSync) {
  const rows = client
    .prepare(
      `
      select r.id, r.name, r.aliases, r.upstream from records r join sources s on s.id = r.source
      order by s.name, r.name
      `,
    )
    .iterate() as IterableIterator<NamedRow>;
  // Row by row, because rows take several times the memory of the result.
  return Array.from(rows, ({ id, name, aliases, upstream }) => ({
    row: id,
    id: name,
    aliases: namesIn(aliases),
    upstream: namesIn(upstream),
  }));
}
