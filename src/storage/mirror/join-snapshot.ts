import type { DatabaseSync } from 'node:sqlite';
import { type CvssEvidence, weighCvss } from '../../domain/risk/cvss.ts';
import { type Deadline, deadlineFor, givesSameTime } from '../../domain/risk/deadline.ts';
import { decisionPoints } from '../../domain/risk/decision-points.ts';
import type { Exposure } from '../../domain/risk/facts.ts';
import { joinRecords } from '../../domain/vulnerability/join.ts';
import type { KnownFacts } from '../../domain/vulnerability/known.ts';
import { readKnownFacts } from './known-facts.ts';
import type { RecordBody } from './record-body.ts';

/** What outlasts a snapshot of a vulnerability. */
interface Remembered {
  readonly known_since: number;
  readonly open_deadline: Deadline;
  readonly open_since: number;
  readonly closed_deadline: Deadline;
  readonly closed_since: number;
}

/** Vulnerabilities from one call of whoever shows progress to the next. */
const TOLD_EVERY = 1_000;

/**
 * Joins the records of an unfinished snapshot to vulnerabilities. Since when one is known, and since when its deadlines are
 * what they are, is taken over from the base by any of its names.
 */
export function joinSnapshot(
  client: DatabaseSync,
  hasBase: boolean,
  nowMs: number,
  onJoining: (vulnerabilities: number) => void,
): void {
  const insert = client.prepare('insert into vulnerabilities values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const name = client.prepare('insert or ignore into vulnerability_names values (?, ?)');
  const assign = client.prepare('update records set vulnerability = ? where id = ?');
  const body = client.prepare('select body from records where id = ?');
  const before = hasBase
    ? client.prepare(
        `
        select known_since, open_deadline, open_since, closed_deadline, closed_since
        from base.vulnerability_names n join base.vulnerabilities v on v.id = n.vulnerability where n.name = ?
        `,
      )
    : undefined;
  const factsOf = readKnownFacts(client);

  let number = 0;
  for (const { id, aliases, cves, records } of joinRecords(namedRecords(client))) {
    number += 1;
    if (number % TOLD_EVERY === 0) onJoining(number);
    const names = [id, ...aliases];
    const known = names.flatMap((each) => (before?.get(each) ?? []) as Remembered | []);
    const bodies = records.map(
      ({ row }) => JSON.parse((body.get(row) as { body: string }).body) as RecordBody,
    );
    const facts = factsOf(bodies, cves);
    const cvss = weighCvss(facts.cvssVectors);
    const [open, closed] = [deadlineOf(facts, cvss, 'open'), deadlineOf(facts, cvss, 'controlled')];
    insert.run(
      number,
      id,
      JSON.stringify(aliases),
      JSON.stringify(cves),
      sinceOf(
        known.map(({ known_since }) => known_since),
        nowMs,
      ),
      open,
      sinceOf(
        known.flatMap((one) => (givesSameTime(one.open_deadline, open) ? one.open_since : [])),
        nowMs,
      ),
      closed,
      sinceOf(
        known.flatMap((one) => (givesSameTime(one.closed_deadline, closed) ? one.closed_since : [])),
        nowMs,
      ),
    );
    for (const each of names) name.run(each, number);
    for (const { row } of records) assign.run(number, row);
  }
}

/** The earliest of these moments; now when there is none. */
const sinceOf = (moments: readonly number[], nowMs: number): number =>
  moments.reduce((first, moment) => Math.min(first, moment), nowMs);

/** By when it is to be mended where the public can reach it, or cannot. */
function deadlineOf(facts: KnownFacts, cvss: CvssEvidence | undefined, exposure: Exposure): Deadline {
  const all = { ...facts, exposure, assertedExploitation: null, importance: null, component: null };
  return deadlineFor(decisionPoints(all, cvss));
}

interface NamedRow {
  readonly id: number;
  readonly name: string;
  readonly aliases: string;
  readonly upstream: string;
}

const NO_NAMES: readonly string[] = [];
const namesIn = (json: string): readonly string[] => (json === '[]' ? NO_NAMES : JSON.parse(json));

/** In the order of their sources' names and their own, so that what is made of the same records is the same. */
function namedRecords(client: DatabaseSync) {
  const rows = client
    .prepare(
      `
      select r.id, r.name, r.aliases, r.upstream from records r join sources s on s.id = r.source
      order by s.name, r.name
      `,
    )
    .iterate() as IterableIterator<NamedRow>;
  // Row by row, because rows take several times the room of what is made of them.
  return Array.from(rows, ({ id, name, aliases, upstream }) => ({
    row: id,
    id: name,
    aliases: namesIn(aliases),
    upstream: namesIn(upstream),
  }));
}
