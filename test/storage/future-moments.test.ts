import { expect, test } from 'bun:test';
import { disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { readFutureMoments } from '../../src/storage/future-moments.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

test('rows later than the clock are found, set to now, and no others', async () => {
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
/** Rows as a clock that ran ahead leaves them: of what the service does next, only what is further ahead than that can be. */
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

test('so are those that would end later, stay open, stay valid or not be done before the wrong moment', async () => {
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
