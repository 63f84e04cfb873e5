import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { ecosystemsToAsk, nameHash } from '../../domain/vulnerability/ecosystem.ts';
import type { VulnerabilityRecord } from '../../domain/vulnerability/record.ts';
import type { FeedFact, FeedSummary, VexFact } from '../../mirror/facts.ts';
import type { RecordBody } from './record-body.ts';
import { DIGEST_CHARACTERS } from './snapshot-tables.ts';

/** The first ids of new rows. */
export interface FirstIds {
  readonly source: number;
  readonly record: number;
  readonly affected: number;
}

type SourceTable = 'records' | 'enrichments' | 'exploited' | 'epss' | 'vex' | 'withdrawn' | 'refused';

const digestOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, DIGEST_CHARACTERS);

/** Writes the facts of files, one after another, into an unfinished snapshot. */
export class FactStage {
  readonly #client: DatabaseSync;
  readonly #nowMs: number;
  readonly #sources = new Map<string, number>();
  #source: number;
  #record: number;
  #affected: number;
  /** The id of the file's first row in each table. */
  #firstRows = new Map<SourceTable, number | bigint>();

  constructor(client: DatabaseSync, first: FirstIds, nowMs: number) {
    this.#client = client;
    this.#nowMs = nowMs;
    this.#source = first.source;
    this.#record = first.record;
    this.#affected = first.affected;
    client.exec(`
      create temp table withdrawn (source integer not null, name text not null, modified_at integer);
      create temp table refused (source integer not null, name text not null);
    `);
    this.#insert = insertsOf(client);
  }

  readonly #insert: ReturnType<typeof insertsOf>;

  /** Adds facts of the current file. */
  put(facts: readonly FeedFact[]): void {
    for (const fact of facts) {
      if (fact.kind === 'vulnerability') this.#putRecord(fact.record);
      else if (fact.kind === 'withdrawn') this.#add('withdrawn', fact.id, fact.modifiedAt);
      else if (fact.kind === 'refused') this.#add('refused', fact.id);
      else if (fact.kind === 'epss') this.#add('epss', fact.cve, fact.probability, fact.percentile);
      else if (fact.kind === 'vex') this.#add('vex', ...vexValues(fact));
      else if (fact.kind === 'exploited')
        this.#add('exploited', fact.cve, fact.catalogue, fact.since, Number(fact.ransomware));
      else {
        const ssvc = fact.ssvc === null ? null : JSON.stringify(fact.ssvc);
        this.#add('enrichments', fact.cve, fact.modifiedAt, JSON.stringify(fact.severity), ssvc);
        if (fact.knownExploited !== null)
          this.#add('exploited', fact.cve, 'cisa', fact.knownExploited.since, 0);
      }
    }
  }

  /** Ends the file: its source is known only now. Several files of one source count as one. */
  endFile(summary: FeedSummary): void {
    const known = this.#sources.get(summary.source);
    const source = known ?? this.#source;
    if (known === undefined) this.#sources.set(summary.source, source);
    else this.#moveTo(known);
    this.#insert.source.run(
      source,
      summary.source,
      summary.format,
      summary.publishedAt,
      this.#nowMs,
      summary.sha256,
      summary.license,
      summary.attribution,
      summary.epssModelVersion,
      summary.refused,
    );
    this.#source += 1;
    this.#firstRows.clear();
  }

  /** Those that were read. */
  get sources(): readonly string[] {
    return [...this.#sources.keys()];
  }

  #putRecord(record: VulnerabilityRecord): void {
    const id = this.#record++;
    const { id: name, aliases, upstream, affected, modifiedAt, source: _, ...rest } = record;
    const body: RecordBody = rest;
    const text = JSON.stringify(body);
    const parts = affected.map(({ versions, ranges }) => JSON.stringify({ versions, ranges }));
    const concerned = JSON.stringify([affected.map((one) => [one.ecosystem, one.name]), parts]);
    const digest = digestOf(concerned) + digestOf(JSON.stringify([aliases, upstream, modifiedAt]) + text);
    const names = [JSON.stringify(aliases), JSON.stringify(upstream)] as const;
    this.#note('records', id);
    this.#insert.record.run(id, this.#source, name, ...names, modifiedAt, text, digest);
    for (const [at, { ecosystem, name: component }] of affected.entries()) {
      const part = this.#affected++;
      this.#insert.affected.run(part, id, ecosystem, component, parts[at] ?? '');
      for (const asked of ecosystemsToAsk(ecosystem))
        this.#insert.componentName.run(nameHash(asked, component), part);
    }
  }

  #add(table: Exclude<SourceTable, 'records'>, ...values: (string | number | null)[]): void {
    this.#note(table, this.#insert[table].run(this.#source, ...values).lastInsertRowid);
  }

  #note(table: SourceTable, row: number | bigint): void {
    if (!this.#firstRows.has(table)) this.#firstRows.set(table, row);
  }

  /** By ids of rows: a record may be a file, and the time for a file must not depend on earlier ones. */
  #moveTo(source: number): void {
    for (const [table, first] of this.#firstRows)
      this.#client.prepare(`update ${table} set source = ? where rowid >= ?`).run(source, first);
  }
}

const vexValues = (fact: VexFact) => [
  ...[fact.cve, fact.document, fact.revisedAt, fact.statedAt, fact.ecosystem, fact.name, fact.version],
  ...[fact.status, fact.justification, fact.impact],
];

const insertsOf = (client: DatabaseSync) => ({
  source: client.prepare(`
    insert into sources values (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, null, ?)
    on conflict (id) do update set
      published_at = max(coalesce(published_at, excluded.published_at), coalesce(excluded.published_at, published_at)),
      sha256 = excluded.sha256,
      license = excluded.license,
      attribution = excluded.attribution,
      epss_model_version = excluded.epss_model_version,
      refused = refused + excluded.refused
  `),
  record: client.prepare('insert into records values (?, ?, ?, ?, ?, ?, ?, ?, null)'),
  affected: client.prepare('insert into affected values (?, ?, ?, ?, ?)'),
  componentName: client.prepare('insert into component_names values (?, ?)'),
  withdrawn: client.prepare('insert into withdrawn values (?, ?, ?)'),
  refused: client.prepare('insert into refused values (?, ?)'),
  enrichments: client.prepare('insert into enrichments values (?, ?, ?, ?, ?)'),
  exploited: client.prepare('insert into exploited values (?, ?, ?, ?, ?)'),
  epss: client.prepare('insert into epss values (?, ?, ?, ?)'),
  vex: client.prepare('insert into vex values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
});
