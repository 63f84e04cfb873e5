import type { DatabaseSync } from 'node:sqlite';
import { SOURCE_TABLES } from './snapshot-tables.ts';

/**
 * Copies the last well-formed version of records that are malformed now from the base. The snapshot must contain only the read
 * records so far.
 */
export function keepRefused(client: DatabaseSync): void {
  client.exec(`
    create temp table kept as
      select distinct refused.source, base.sources.id as base, refused.name
      from temp.refused join main.sources s on s.id = refused.source join base.sources on base.sources.name = s.name;
    insert into main.records
      select r.id, kept.source, r.name, r.aliases, r.upstream, r.modified_at, r.body, r.digest, null
      from temp.kept join base.records r on r.source = kept.base and r.name = kept.name
      where (kept.source, kept.name) not in (select source, name from main.records);
    create temp table kept_records as
      select r.id from base.records r join main.records on main.records.id = r.id;
    insert into main.affected
      select a.* from temp.kept_records join base.affected a on a.record = kept_records.id;
    insert into main.component_names
      select n.* from base.component_names n where n.affected in (
        select a.id from temp.kept_records join base.affected a on a.record = kept_records.id
      );
  `);
  for (const [table, columns] of Object.entries(SOURCE_TABLES)) {
    const others = columns.replace('source, ', '');
    client.exec(`
      insert into main.${table} (${columns}) select kept.source, ${others}
      from temp.kept join base.${table} b on b.source = kept.base and b.cve = kept.name
      where (kept.source, kept.name) not in (select source, cve from main.${table})
    `);
  }
  client.exec('drop table temp.kept; drop table temp.kept_records');
}
