import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../src/storage/data-directory.ts';
import { API, call } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';
import { stored } from '../support/store.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await start('binary');
  key = (await service.issue('--plan', 'pro', '--test')).key;
});
afterAll(() => service.end());

/** Takes a table away while something is tried, so that the store fails as a broken disk would make it. */
async function without(table: string, attempt: () => Promise<void>): Promise<void> {
  const database = new DatabaseSync(databasePath(service.env.SERVICE_DATA_DIR as string));
  const rename = (from: string, to: string) => database.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
  rename(table, 'taken_away');
  try {
    await attempt();
  } finally {
    rename('taken_away', table);
    database.close();
  }
}

const sendEvent = () =>
  call(service.url, `${API}/telemetry`, { key, body: { domain: 'shop.com', events: [{ type: 'x' }] } });
const report = () =>
  call(service.url, `${API}/threat-report/report`, {
    key,
    body: { attackType: 'xss', behaviorClass: 'b', payloadHash: 'p', siteIdHash: 's', licenseIdHash: 'l' },
  });

test('a store that fails is 503 with Retry-After, keeps nothing, says nothing of its inside, and recovers', async () => {
  const before = stored(service);
  await without('events', async () => {
    const { status, headers, json } = await sendEvent();
    expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'STORE_UNAVAILABLE', '1']);
    const ready = await call(service.url, '/readyz');
    expect([ready.status, ready.json.status, ready.json.problems.length]).toEqual([503, 'not ready', 1]);
    expect(ready.text).not.toMatch(/events|table|recordTelemetry/i);
    expect((await call(service.url, `${API}/status`)).json.data.status).toBe('degraded');
    expect(service.log()).toContain('a change could not be stored');
  });
  expect(stored(service)).toEqual(before);
  expect((await sendEvent()).status).toBe(200);
  expect((await call(service.url, '/readyz')).status).toBe(200);
});

test('a report store that fails is told by its own code', async () => {
  await without('threat_reports', async () => {
    const { status, headers, json } = await report();
    expect([status, json.error.code]).toEqual([503, 'THREATREPORT_STORE_UNAVAILABLE']);
    expect(headers.get('retry-after')).toBe('5');
  });
  expect((await report()).status).toBe(200);
});
