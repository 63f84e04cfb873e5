import { ConfigRefused } from '../../../settings/config.ts';
import { DATABASE_SETTING } from '../../../settings/database-address.ts';
import type { Database } from '../database.ts';
import { prepare } from '../statement.ts';
import { ownTables } from './migrate.ts';

const OF_TABLES = 'SELECT, INSERT, UPDATE, DELETE';
/** Ids of licenses are read and set. */
const OF_SEQUENCES = 'SELECT, UPDATE';
/** Beyond this many, only their number is reported, with one statement that repairs all. */
const PLACES_NAMED_MAX = 3;

interface Place {
  readonly user: string;
  readonly schema: string | null;
  readonly mayCreate: number;
  readonly database: string;
  readonly mayMakeTemporary: number;
}

interface Lack {
  readonly name: string;
  /** The table of a sequence, or the table itself. */
  readonly table: string;
  readonly isSequence: number;
  readonly lacks: string;
}

const LACKS = `
  select c.relname as name, coalesce(owner.relname, c.relname) as "table", (c.relkind = 'S')::int as "isSequence",
      coalesce(string_agg(needed.privilege, ', ' order by needed.at) filter (where not (
        case when c.relkind = 'S' then has_sequence_privilege(c.oid, needed.privilege)
          else has_table_privilege(c.oid, needed.privilege) end
      )), '') as lacks
    from pg_class c
      left join pg_depend d on c.relkind = 'S' and d.objid = c.oid and d.deptype in ('a', 'i') and d.classid = 'pg_class'::regclass
      left join pg_class owner on owner.oid = d.refobjid,
      unnest(string_to_array(case when c.relkind = 'S' then '${OF_SEQUENCES}' else '${OF_TABLES}' end, ', '))
        with ordinality as needed(privilege, at)
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S')
    group by c.oid, c.relname, c.relkind, owner.relname order by c.relkind desc, c.relname
`;

/**
 * Checks that the user of a database has every required right on its tables and sequences.
 *
 * @param named what has its address
 * @throws ConfigRefused, which names the tables, the rights and the statements that grant them
 */
export async function refuseMissingRights(db: Database, named = DATABASE_SETTING): Promise<void> {
  const place = await prepare<Place>(
    db,
    `select quote_ident(current_user) as "user", quote_ident(current_schema()) as schema,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)::int as "mayCreate",
      quote_ident(current_database()) as database, has_database_privilege(current_database(), 'TEMP')::int as "mayMakeTemporary"`,
  ).get();
  if (place === undefined) return;
  const { user, schema, mayCreate, database, mayMakeTemporary } = place;
  if (schema === null)
    throw new ConfigRefused(
      `${named}: its user cannot use any schema of its search_path. Run GRANT USAGE, CREATE ON SCHEMA public TO ${user}`,
    );
  if (mayMakeTemporary === 0)
    throw new ConfigRefused(
      `${named}: its user cannot create temporary tables. Run GRANT TEMPORARY ON DATABASE ${database} TO ${user}`,
    );
  const own = new Set(ownTables());
  const tables = (await prepare<Lack>(db, LACKS).all()).filter(({ table }) => own.has(table));
  if (tables.length === 0 && mayCreate === 0)
    throw new ConfigRefused(
      `${named}: its user cannot create tables in the schema ${schema}. Run GRANT CREATE ON SCHEMA ${schema} TO ${user}`,
    );
  const lacking = tables.filter(({ lacks }) => lacks !== '');
  if (lacking.length > 0) throw new ConfigRefused(`${named}: ${lackOf(lacking, schema, user)}`);
}

function lackOf(lacking: readonly Lack[], schema: string, user: string): string {
  const more = lacking.length - PLACES_NAMED_MAX;
  const first = lacking.slice(0, PLACES_NAMED_MAX).map(({ name, lacks }) => `${lacks} on ${name}`);
  const others = more > 0 ? ` and rights on ${more} more` : '';
  const grants =
    more > 0
      ? [
          `GRANT ${OF_TABLES} ON ALL TABLES IN SCHEMA ${schema} TO ${user}`,
          `GRANT ${OF_SEQUENCES} ON ALL SEQUENCES IN SCHEMA ${schema} TO ${user}`,
        ]
      : lacking.map(
          ({ name, lacks, isSequence }) =>
            `GRANT ${lacks} ON ${isSequence === 1 ? 'SEQUENCE ' : ''}${schema}.${name} TO ${user}`,
        );
  return `its user lacks ${first.join('; ')}${others}. As the owner of the tables, run ${grants.join('; ')}`;
}
