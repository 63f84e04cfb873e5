import type { DatabaseSync } from 'node:sqlite';
import { SOURCE_TABLES } from './snapshot-tables.ts';
import type { FirstIds } from './stage-facts.ts';

/** After the base's, so that its rows keep their ids. */
export function idsBehind(client: DatabaseSync, hasBase: boolean): FirstIds {
  const after = (table: string) => {
    if (!hasBase) return 1;
    const row = client.prepare(`select coalesce(max(id), 0) + 1 as next from base.${table}`).get();
    return (row as { next: number }).next;
  };
  return { source: after('sources'), record: after('records'), affected: after('affected') };
}

/**
 * Keeps the newest record of each source and name, and removes those that were withdrawn then or later. The snapshot must
 * contain only the read records so far.
 */
export function settleSources(client: DatabaseSync): void {
  client.exec('create index temp.withdrawn_names on withdrawn (source, name)');
  settleRecords(client);
  settleEnrichments(client);
  settleVex(client);
  client.exec('drop table temp.withdrawn');
}

/** Whether a row of one of these tables was withdrawn and not published again. */
const isWithdrawn = (table: string, name: string): string => `exists (
  select 1 from temp.withdrawn w where w.source = ${table}.source and w.name = ${table}.${name}
    and coalesce(w.modified_at >= ${table}.modified_at, true)
)`;

function settleRecords(client: DatabaseSync): void {
  const { changes } = client
    .prepare(
      `
      delete from records where id in (
        select id from (
          select id, row_number() over (partition by source, name order by modified_at desc, id desc) as place from records
        ) where place > 1
      ) or ${isWithdrawn('records', 'name')}
      `,
    )
    .run();
  if (changes === 0) return;
  client.exec(`
    delete from affected where record not in (select id from records);
    delete from component_names where affected not in (select id from affected);
  `);
}

function settleEnrichments(client: DatabaseSync): void {
  client.exec(`
    delete from enrichments where rowid in (
      select row from (
        select rowid as row, row_number() over (partition by source, cve order by modified_at desc, rowid desc) as place
        from enrichments
      ) where place > 1
    ) or ${isWithdrawn('enrichments', 'cve')};
    delete from exploited where rowid not in (
      select max(rowid) from exploited group by source, cve, catalogue
    ) or (
      (source, cve) in (select source, name from temp.withdrawn)
      and (source, cve) not in (select source, cve from enrichments)
    );
  `);
}

/** Keeps only the newest revision of each document, without earlier statements. */
function settleVex(client: DatabaseSync): void {
  client.exec(`
    delete from vex where rowid in (
      select row from (
        select rowid as row, rank() over (partition by source, document order by revised_at desc) as place from vex
      ) where place > 1
    )
  `);
}

/** Copies the base's sources that were not read, one query for each: one for all would take minutes. */
export function copySources(client: DatabaseSync, read: readonly string[]): void {
  const sources = client.prepare('select id, name from base.sources').all() as { id: number; name: string }[];
  for (const { id } of sources.filter(({ name }) => !read.includes(name))) {
    const copy = (into: string, columns: string) =>
      client.prepare(`insert into main.${into} select ${columns} where source = ?`).run(id);
    client.prepare('insert into main.sources select * from base.sources where id = ?').run(id);
    copy('records', 'id, source, name, aliases, upstream, modified_at, body, digest, null from base.records');
    copy(
      'affected',
      'a.id, a.record, a.ecosystem, a.name, a.body from base.records r join base.affected a on a.record = r.id',
    );
    copy(
      'component_names',
      `n.name_hash, n.affected from base.component_names n
        join base.affected a on a.id = n.affected join base.records r on r.id = a.record`,
    );
    for (const [table, columns] of Object.entries(SOURCE_TABLES))
      copy(table, `${columns} from base.${table}`);
  }
}
