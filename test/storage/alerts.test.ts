import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { INCIDENT_DAYS, incidentSeverity, openAlert } from '../../src/domain/site/alerts.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { readAlerts } from '../../src/storage/alerts.ts';
import { connect } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/engine/jobs.ts';
import { newDatabase } from '../support/database.ts';

const NOW = 100 * DAY_MS;
const moment = fc.option(fc.integer({ min: 60, max: 100 }).map((day) => day * DAY_MS));

test('what retention forgets was neither open nor an incident of the month, and nothing reopens without it', async () => {
  const db = connect(newDatabase());
  db.$client.exec(`
    PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;
  `);
  const { forgetAlerts } = prepareJobs(db);
  const insert = db.$client.prepare('insert into alerts values (1, 1, ?, ?, ?, ?)');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(moment, moment, moment), { maxLength: 12 }), async (rows) => {
      db.$client.exec('delete from alerts');
      for (const [index, row] of rows.entries()) insert.run(`s${index}`, ...row);
      const read = () => readAlerts(db).ofSite(1, 1);
      const before = await read();
      forgetAlerts({ toldBefore: NOW - INCIDENT_DAYS * DAY_MS });
      const kept = new Set((await read()).map(({ subject }) => subject));
      for (const facts of before) {
        const newest = Math.max(facts.criticalAt ?? 0, facts.highAt ?? 0, facts.resolvedAt ?? 0);
        expect(kept.has(facts.subject)).toBe(newest >= NOW - INCIDENT_DAYS * DAY_MS);
        if (kept.has(facts.subject)) continue;
        expect(openAlert(facts, NOW)).toBeUndefined();
        expect(incidentSeverity(facts, NOW)).toBeUndefined();
      }
    }),
  );
  db.$client.close();
});
