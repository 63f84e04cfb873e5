import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Verification } from '../../src/domain/license/verification.ts';
import { refuse } from '../../src/domain/refusal.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { REFUSED_DOMAINS_MAX, readRefusedDomains } from '../../src/storage/licenses/refused-domains.ts';
import { startRefusedDomains } from '../../src/tasks/refused-domains.ts';
import { addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

let db: Database;
let now: number;
let isFull: boolean;
let writes: number;
let later: (() => void) | undefined;
let task: ReturnType<typeof startRefusedDomains>;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  [now, isFull, writes] = [1_000, false, 0];
  task = startRefusedDomains({
    clock: { now: () => now },
    after(_, due) {
      later = due;
      return () => {};
    },
    log: createLog({ level: 'info', json: true, write: () => {} }),
    writer: {
      async write(name, input) {
        writes += 1;
        if (isFull) return refuse('STORE_UNAVAILABLE', 'full');
        return (await prepareJobs(db)[name](input as never)) as never;
      },
    },
  });
});
afterEach(() => disconnect(db));

/** Lets five seconds pass. */
async function round() {
  const due = later;
  later = undefined;
  due?.();
  while (later === undefined) await new Promise(setImmediate);
}
const answer = (
  domain: string | undefined,
  verification: Verification | undefined = 'site_limit_reached',
  id = 1,
) => task.note({ licenseId: id, route: '-', code: undefined, verification, domain });
const stored = async (id = 1) =>
  (await readRefusedDomains(db, id)).map(({ domain, reason, count, firstAt, lastAt }) => [
    ...[domain, reason, count, firstAt, lastAt],
  ]);

test('refusals of a domain are counted under its name, with the latest reason', async () => {
  answer('https://www.Shop.example.com/path');
  now = 2_000;
  answer('shop.example.com');
  await round();
  now = 3_000;
  answer('shop.example.com', 'blocked_domain');
  answer('other.example.com', 'expired');
  await task.stop();
  expect(await stored()).toEqual([
    ['other.example.com', 'expired', 1, 3_000, 3_000],
    ['shop.example.com', 'blocked_domain', 3, 1_000, 3_000],
  ]);
});

test('each license has its own counts, and a deleted license has none', async () => {
  for (const id of [1, 2, 99]) answer(`of-${id}.example.com`, 'suspended', id);
  await round();
  expect([(await stored(1)).length, (await stored(2)).length, (await stored(99)).length]).toEqual([1, 1, 0]);
});

test.each([
  ['an allowed domain', 'shop.example.com', 'valid'],
  ['none', undefined, 'expired'],
  ['an answer of another route', 'shop.example.com', undefined],
  ['text that is not a domain', 'rdt_live_secret with blanks', 'malformed_domain'],
  ['markup', '<script>alert(1)</script>', 'malformed_domain'],
  ['text of more than 253 characters', `https://a.example.com/${'x'.repeat(253)}`, 'expired'],
] as const)('nothing is stored for %s', async (_, domain, verification) => {
  task.note({ licenseId: 1, route: '-', code: undefined, verification, domain });
  await round();
  expect([await stored(), writes]).toEqual([[], 0]);
});

test('the 50 most recently refused domains of a license are retained', async () => {
  for (let batch = 0; batch < 3; batch += 1) {
    now += 1_000;
    for (let each = 0; each < 60; each += 1) answer(`d${batch}-${each}.example.com`);
    await round();
  }
  const kept = await stored();
  expect(kept.length).toBe(REFUSED_DOMAINS_MAX);
  expect(kept.every(([domain]) => String(domain).startsWith('d2-'))).toBe(true);
});

test('counts that could not be written are added later, once', async () => {
  isFull = true;
  answer('shop.example.com');
  await round();
  now = 5_000;
  answer('shop.example.com', 'suspended');
  isFull = false;
  await round();
  await round();
  expect(await stored()).toEqual([['shop.example.com', 'suspended', 2, 5_000, 5_000]]);
  expect(writes).toBe(2);
});

test('retention deletes domains that were last refused before its cutoff', async () => {
  answer('old.example.com');
  await round();
  now += DAY_MS;
  answer('new.example.com');
  await round();
  await prepareJobs(db).forgetOldRefusedDomains({ before: now });
  expect((await stored()).map(([domain]) => domain)).toEqual(['new.example.com']);
});
