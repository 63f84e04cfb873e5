import { DatabaseSync } from 'node:sqlite';
import { prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { telemetryBody } from './bodies.ts';

// The limit of SQLite alone: one prepared insert in transactions of 100, on the service's tables and equally
// durable. Arguments: a path for the database and seconds to run.

const [path = '', seconds = '1'] = process.argv.slice(2);
prepareDatabase(path);
const db = new DatabaseSync(path);
db.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
  insert or ignore into licenses
    (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
    values (1, '', '', '', 'paid', 'live', 'pro', '[]', '[]', '[]', 0);
  insert or ignore into sites (id, license_id, domain, first_seen_at, last_seen_at) values (1, 1, 'shop', 0, 0);
`);
const insert = db.prepare(`
  insert into events (license_id, site_id, type, severity, message, occurred_at, received_at, event_id, metadata)
  values (1, 1, ?, ?, ?, ?, ?, ?, ?)
`);

const rowsSent = telemetryBody('').events.map(({ event_id, metadata, ...event }) => ({
  ...event,
  ending: event_id,
  metadata: JSON.stringify(metadata),
}));
const run = Date.now();
const startedAt = performance.now();
const until = startedAt + Number(seconds) * 1_000;
let transactions = 0;
while (performance.now() < until) {
  transactions += 1;
  const unique = `run${run}-${String(transactions).padStart(8, '0')}`;
  const now = Date.now();
  db.exec('BEGIN IMMEDIATE');
  for (const { type, severity, message, ending, metadata } of rowsSent) {
    insert.run(type, severity, message, now, now, unique + ending, metadata);
  }
  db.exec('COMMIT');
}
const measured = { rows: transactions * rowsSent.length, seconds: (performance.now() - startedAt) / 1_000 };
console.log(JSON.stringify(measured));
