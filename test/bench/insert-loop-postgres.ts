import { Pool } from 'pg';
import { postgresAddress } from '../../src/settings/database-address.ts';
import { arrayOf } from '../../src/storage/engine/postgres/array.ts';
import { telemetryBody } from './bodies.ts';

// The limit of PostgreSQL alone: 100 rows in a statement, each a transaction, four of them in flight, into
// the service's table and equally durable. Arguments: the address of a migrated database, and seconds to run.

const IN_FLIGHT = 4;

const [url = '', seconds = '1'] = process.argv.slice(2);
const pool = new Pool({ ...postgresAddress(url), max: IN_FLIGHT });
await pool.query(`
  insert into licenses
    (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
    overriding system value values (1000, 'bare', '', '', 'paid', 'live', 'pro', '[]', '[]', '[]', 0) on conflict do nothing;
  insert into sites (id, license_id, domain, first_seen_at, last_seen_at)
    overriding system value values (1000, 1000, 'shop', 0, 0) on conflict do nothing;
`);
const { events } = telemetryBody('');
const text = `
  insert into events (license_id, site_id, received_at, type, severity, message, occurred_at, event_id, metadata)
    select 1000, 1000, $1::bigint, e.* from unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[]) as e
`;
const run = Date.now();
const startedAt = performance.now();
const until = startedAt + Number(seconds) * 1_000;
let statements = 0;
await Promise.all(
  Array.from({ length: IN_FLIGHT }, async () => {
    while (performance.now() < until) {
      const unique = `run${run}-${String(++statements).padStart(8, '0')}`;
      const now = Date.now();
      await pool.query({
        name: 'insert',
        text,
        values: [
          now,
          arrayOf(events.map(({ type }) => type)),
          arrayOf(events.map(({ severity }) => severity)),
          arrayOf(events.map(({ message }) => message)),
          arrayOf(events.map(() => now)),
          arrayOf(events.map(({ event_id }) => unique + event_id)),
          arrayOf(events.map(({ metadata }) => JSON.stringify(metadata))),
        ],
      });
    }
  }),
);
const measured = { rows: statements * events.length, seconds: (performance.now() - startedAt) / 1_000 };
console.log(JSON.stringify(measured));
await pool.end();
