import { expect, test } from 'bun:test';
import { disconnect } from '../../../src/storage/engine/database.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { readEvents } from '../../../src/storage/sites/events.ts';
import { engineOf } from '../../support/engines.ts';
import { batchOf } from '../../support/telemetry.ts';

const engine = engineOf(import.meta);

test('a search reads a limited number at once, returns where to continue, and ends', async () => {
  const db = await engine.open({ loose: true });
  const { recordTelemetry } = prepareJobs(db);
  const ARRIVALS = 1_500;
  for (let index = 0; index < ARRIVALS; index++) {
    await recordTelemetry(batchOf(index, [{ type: index === 0 ? 'needle' : 'x' }]));
  }
  const { page } = readEvents(db);
  const walk = async (type: string) => {
    const found: string[] = [];
    let searches = 0;
    for (let beforeId: number | undefined = ARRIVALS + 1; beforeId !== undefined; searches++) {
      const part = await page({
        licenseId: 1,
        sitePublicId: null,
        type,
        severity: null,
        since: -1,
        until: ARRIVALS,
        beforeId,
        limit: 10,
      });
      found.push(...part.events.map((event) => event.type));
      beforeId = part.nextBeforeId;
    }
    return { found, searches };
  };
  expect(await walk('needle')).toEqual({ found: ['needle'], searches: expect.any(Number) });
  const nothing = await walk('nothing');
  expect(nothing.found).toEqual([]);
  expect(nothing.searches).toBeWithin(3, 10);
  await disconnect(db);
});
