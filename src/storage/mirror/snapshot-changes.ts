import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { readSources, type SnapshotSource } from './snapshot-sources.ts';
import { DIGEST_CHARACTERS } from './snapshot-tables.ts';

/** The changes of one source. */
export interface SourceChange {
  readonly after: SnapshotSource;
  /** Null = it is new. */
  readonly before: SnapshotSource | null;
  /** New records, or new versions of records; and removed ones. */
  readonly added: number;
  readonly changed: number;
  /** Of the changed ones, how many affect other components or versions, or have other listings. */
  readonly altered: number;
  readonly gone: number;
}

/** Whether every record of a source is unchanged. */
export const isUnchanged = ({ before, added, changed, gone }: SourceChange): boolean =>
  before !== null && added + changed + gone === 0;

/** Whether only the import time of a source is new, which is the age of one without a date. */
export const isTheSame = (change: SourceChange): boolean =>
  isUnchanged(change) &&
  change.after.publishedAt !== null &&
  isDeepStrictEqual({ ...change.before, importedAt: 0 }, { ...change.after, importedAt: 0 });

/**
 * The content of a source of any format, by the names of records or CVEs. A CVE can be in several tables. `meant` is the part
 * that an update seldom changes; EPSS scores change every day.
 */
const contentOf = (schema: string): string => `
  select name, digest as content, substr(digest, 1, ${DIGEST_CHARACTERS}) as meant from ${schema}.records where source = :source
  union all select cve, content, content from (
    select cve, severity || coalesce(ssvc, '') as content from ${schema}.enrichments where source = :source
    union all select cve, concat_ws(' ', catalogue, since, ransomware) from ${schema}.exploited where source = :source
  )
  union all select cve, content, content from (
    select cve, concat_ws(' ', document, stated_at, ecosystem, component, version, status, justification, impact) as content
    from ${schema}.vex where source = :source
  )
  union all select cve, concat_ws(' ', probability, percentile), '' from ${schema}.epss where source = :source
`;

/** Counts the distinct records of the sources that were read, in all their files. */
export function countRecords(client: DatabaseSync, read: readonly string[]): void {
  const count = client.prepare(`select count(distinct name) as records from (${contentOf('main')})`);
  const note = client.prepare('update sources set records = ? where id = ?');
  for (const name of read) {
    const source = idOf(client, 'main', name);
    if (source === undefined) continue;
    const { records } = count.get({ source }) as { records: number };
    note.run(records, source);
  }
}

/** The differences between an unfinished snapshot and its base, for each source that was read. */
export function changesOf(
  client: DatabaseSync,
  hasBase: boolean,
  read: readonly string[],
): readonly SourceChange[] {
  const before = new Map(hasBase ? readSources(client, 'base').map((source) => [source.name, source]) : []);
  return readSources(client)
    .filter(({ name }) => read.includes(name))
    .map((after) => {
      const base = before.get(after.name) ?? null;
      return { after, before: base, ...recordChanges(client, after.name, base !== null) };
    });
}

function recordChanges(client: DatabaseSync, name: string, hasBase: boolean) {
  const old = new Map<string, Content>();
  if (hasBase) for (const row of contentsOf(client, 'base', name)) old.set(row.name, row);
  let [added, changed, altered] = [0, 0, 0];
  for (const now of contentsOf(client, 'main', name)) {
    const was = old.get(now.name);
    if (was === undefined) added += 1;
    else if (was.content !== now.content) {
      changed += 1;
      if (was.meant !== now.meant) altered += 1;
    }
    old.delete(now.name);
  }
  return { added, changed, altered, gone: old.size };
}

interface Content {
  readonly name: string;
  readonly content: string;
  readonly meant: string;
}

function contentsOf(client: DatabaseSync, schema: string, name: string) {
  const source = idOf(client, schema, name) ?? null;
  return client
    .prepare(
      `select name, group_concat(content, ' ' order by content) as content, group_concat(meant, ' ' order by meant) as meant
        from (${contentOf(schema)}) group by name`,
    )
    .iterate({ source }) as IterableIterator<Content>;
}

const idOf = (client: DatabaseSync, schema: string, name: string): number | undefined =>
  (client.prepare(`select id from ${schema}.sources where name = ?`).get(name) as { id: number } | undefined)
    ?.id;
