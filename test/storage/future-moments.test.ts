import { expect, test } from 'bun:test';
import { getColumnTable, getTableColumns, getTableName } from 'drizzle-orm';
import { disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import type { Subject } from '../../src/storage/engine/subject.ts';
import { readFutureMoments } from '../../src/storage/future-moments.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { SUBJECTS } from '../../src/storage/subjects.ts';
import { addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

test('rows later than the clock, and no others, are found and set to now', async () => {
  const db = await engine.open();
  await addTwoTenants(db);
  await execute(
    db,
    'update licenses set created_at = 5000 where id = 2; update sites set last_seen_at = 7000',
  );
  const found = [
    { column: 'licenses.created_at', rows: 1, firstId: 2, lastId: 2, newest: 5000 },
    { column: 'sites.last_seen_at', rows: 2, firstId: 1, lastId: 2, newest: 7000 },
  ];
  expect(await readFutureMoments(db, 1000)).toEqual(found);
  expect(await readFutureMoments(db, 7000)).toEqual([]);
  await prepareJobs(db).acceptClock({ now: 1000 });
  expect(await readFutureMoments(db, 1000)).toEqual([]);
  expect(await readFutureMoments(db, 999)).toEqual(found.map((each) => ({ ...each, newest: 1000 })));
  await disconnect(db);
});

const DAY_MS = 86_400_000;
const NOW = 1_700_000_000_000;
const LATER = NOW + 400 * DAY_MS;
/** Rows of a clock that ran ahead; a next action counts only when it is further ahead than it can be. */
const ROWS = [
  `insert into previous_keys (license_id, key_hash, key_prefix, key_last4, works_until)
    values (1, 'a', 'p', 'l', ${LATER}), (2, 'b', 'p', 'l', ${NOW + 30 * DAY_MS})`,
  `insert into portal_sessions (token_hash, license_id, key_hash, started_at) values ('t', 1, 'h1', ${LATER}), ('u', 2, 'h2', ${NOW})`,
  `insert into scan_schedules (license_id, site_id, interval_hours, type, next_at)
    values (1, 1, 24, 'posture', ${LATER}), (2, 2, 720, 'posture', ${NOW + 30 * DAY_MS})`,
  `insert into alerts (license_id, site_id, subject, critical_at) values (1, 1, 'malware', ${LATER}), (2, 2, 'malware', ${NOW})`,
  `insert into domain_controls (license_id, domain, method, verified_at, checked_at, next_check_at)
    values (1, 'a.com', 'http', ${LATER}, ${LATER}, ${LATER + DAY_MS}), (2, 'b.com', 'http', ${NOW}, ${NOW}, ${NOW + DAY_MS})`,
  `insert into assessments (license_id, domain, scan_id, grade, score, parts, assessed_at, made_at, leaf_hash)
    values (1, 'a.com', 1, 'A', 100, '{}', ${LATER}, ${LATER}, ''), (2, 'b.com', 2, 'A', 100, '{}', ${NOW}, ${NOW}, '')`,
  `insert into operators (name, role, created_at, totp_last_step)
    values ('ann', 'owner', 0, ${Math.floor(LATER / 30_000)}), ('ben', 'owner', 0, ${Math.floor(NOW / 30_000) + 1})`,
  `insert into backups (at, path, bytes, encrypted) values (${LATER}, '/a', 1, 0), (${NOW}, '/b', 1, 0)`,
];
const COLUMNS = [
  'previous_keys.works_until',
  'domain_controls.verified_at',
  'domain_controls.checked_at',
  'domain_controls.next_check_at',
  'alerts.critical_at',
  'scan_schedules.next_at',
  'assessments.assessed_at',
  'assessments.made_at',
  'portal_sessions.started_at',
  'operators.totp_last_step',
  'backups.at',
];

test('rows that would end, stay open or stay valid later than a wrong moment are included', async () => {
  const db = await engine.open();
  await addTwoTenants(db);
  for (const row of ROWS) await execute(db, row);
  const found = await readFutureMoments(db, NOW);
  expect(found.map(({ column }) => column).sort()).toEqual(COLUMNS.toSorted());
  for (const { column, rows, firstId, lastId, newest } of found) {
    expect([column, rows, firstId, lastId]).toEqual([column, 1, 1, 1]);
    expect(Math.abs(newest - LATER)).toBeLessThanOrEqual(DAY_MS);
  }
  await prepareJobs(db).acceptClock({ now: NOW });
  expect(await readFutureMoments(db, NOW)).toEqual([]);
  await disconnect(db);
});

/** Columns of moments that stay, each table with the reason. */
const KEPT: Readonly<Record<string, string>> = {
  events: 'events keep what sites reported',
  arrivals: 'events keep what sites reported',
  signal_history: 'an entry of a log',
  outbox: 'an entry of a log',
  audit_log: 'an entry of a log',
  evidence_logs: 'evidence is signed',
  evidence_entries: 'evidence is signed',
  evidence_checkpoints: 'evidence is signed',
  credentials: 'credentials are signed',
  credential_keys: 'published; a start that finds no active key adds one',
  signing_keys: 'published; a start that finds no active key adds one',
  status_lists: 'only shown',
  feed_snapshots: 'the next epoch replaces it',
  sign_in_tries: 'the next try forgets those in the future',
  reconciliations: 'the next one replaces it',
  'licenses.expires_at': 'chosen',
  'licenses.payment_hold_from': 'from the payment processor',
  'admin_tokens.expires_at': 'chosen',
  'operator_sessions.ends_at': 'a session also ends by its start',
  'feed_trusts.expires_at': 'signed by the other installation',
  'payment_events.due_at': 'those too far ahead are due',
};

test('every column of moments is repaired, or stays for a reason', () => {
  const columns = Object.values<Subject>(SUBJECTS).flatMap(({ tables }) =>
    Object.values(tables).flatMap((table) =>
      Object.values(getTableColumns(table)).map(({ name }) => `${getTableName(table)}.${name}`),
    ),
  );
  const moments = columns.filter((column) => /(?:[._]at|_until|_from|since|\.through|_step)$/.test(column));
  const repaired = new Set(
    Object.values<Subject>(SUBJECTS).flatMap(({ ownMoments = [] }) =>
      ownMoments.map(({ column }) => `${getTableName(getColumnTable(column))}.${column.name}`),
    ),
  );
  const isKept = (column: string) => column in KEPT || (column.split('.')[0] ?? '') in KEPT;
  expect(moments.length).toBeGreaterThan(100);
  expect(moments.filter((column) => !repaired.has(column) && !isKept(column))).toEqual([]);
  expect(moments.filter((column) => repaired.has(column) && isKept(column))).toEqual([]);
  expect(
    Object.keys(KEPT).filter(
      (kept) => !moments.some((column) => column === kept || column.startsWith(`${kept}.`)),
    ),
  ).toEqual([]);
});
