import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { NO_LIMIT } from '../../../src/domain/license/daily-budget.ts';
import { isRefusal } from '../../../src/domain/refusal.ts';
import { Fault } from '../../../src/lib/fault.ts';
import { connect, type Database } from '../../../src/storage/engine/database.ts';
import { createGroupWriter, prepareBatches, type Writer } from '../../../src/storage/engine/writer.ts';
import { newDatabase } from '../../support/database.ts';

let db: Database;
let commits: number;
let writer: Writer;
let faults: string[];

beforeEach(async () => {
  db = connect(newDatabase());
  commits = 0;
  faults = [];
  const run = prepareBatches(db);
  writer = createGroupWriter({
    commit: async (jobs) => {
      commits += 1;
      return run(jobs);
    },
    onFault: (fault) => faults.push(fault),
    waitingMax: 64,
  });
});
afterEach(() => db.$client.close());

const issue = (keyHash: string, domains: string[] = []): Promise<unknown> =>
  writer.write('issueLicense', {
    keyHash,
    keyPrefix: 'rdt_live_',
    keyLast4: 'abcd',
    kind: 'paid',
    environment: 'live',
    plan: 'pro',
    sitesOverride: null,
    modulesAllowed: [],
    modulesDenied: [],
    note: null,
    expiresAt: null,
    domains,
    createdAt: 1,
    issuedBy: { actor: 'cli:alice' },
  });
const count = (table: string) =>
  Number((db.$client.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n);

describe('the writer', () => {
  test('brings what arrives together to disk in one transaction', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => issue(`k${index}`)));
    expect(new Set(ids).size).toBe(20);
    expect(commits).toBe(1);
  });

  test('undoes a failing job alone, and answers it with STORE_UNAVAILABLE', async () => {
    const [first, twin, other] = await Promise.all([
      issue('same', ['a.com']),
      issue('same', ['b.com']),
      issue('other'),
    ]);
    expect([first, other]).toEqual([1, expect.any(Number)]);
    expect(twin).toMatchObject({ refused: 'STORE_UNAVAILABLE' });
    expect([count('licenses'), count('license_domains'), count('audit_log'), faults.length]).toEqual([
      2, 1, 2, 1,
    ]);
  });

  test('a refused job leaves nothing', async () => {
    await issue('k', ['a.com']);
    const batch = {
      licenseId: 1,
      domain: 'b.com',
      claim: { sitesAllowed: 1 },
      unregisteredAllowed: null,
      siteUuid: null,
      pluginVersion: null,
      stats: null,
      events: [],
      budget: NO_LIMIT,
      receivedAt: 5,
    };
    expect(await writer.write('recordTelemetry', batch)).toMatchObject({ refused: 'SITE_LIMIT_REACHED' });
    expect([count('sites'), count('license_domains')]).toEqual([0, 1]);
  });

  test('refuses what does not fit its queue, and finishes what it accepted when it is closed', async () => {
    const answers = Array.from({ length: 100 }, (_, index) => issue(`k${index}`));
    await writer.close();
    const refused = (await Promise.all(answers)).filter(isRefusal);
    expect([refused.length, count('licenses')]).toEqual([36, 64]);
    expect(refused[0]).toMatchObject({ refused: 'STORE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(await issue('late')).toMatchObject({ refused: 'STORE_UNAVAILABLE' });
  });

  test('refuses a whole batch that cannot be committed, and works on afterwards', async () => {
    let broken = true;
    const run = prepareBatches(db);
    const fragile = createGroupWriter({
      commit: async (work) => {
        if (broken) throw new Fault('disk full');
        return run(work);
      },
      onFault: (fault) => faults.push(fault),
    });
    const entry = { at: 1, actor: 'system', action: 'x', subject: null } as const;
    expect(await fragile.write('audit', entry)).toMatchObject({ refused: 'STORE_UNAVAILABLE' });
    broken = false;
    expect(isRefusal(await fragile.write('audit', entry))).toBe(false);
    expect([faults, count('audit_log')]).toEqual([['disk full'], 1]);
  });
});

describe('what is written', () => {
  test('every change of licenses, domains and the feed grows its generation', async () => {
    const generation = () =>
      db.$client.prepare('select licenses, feed from generations').get() as {
        licenses: number;
        feed: number;
      };
    const seen = [generation()];
    const grown = async (change: Promise<unknown>) => {
      await change;
      seen.push(generation());
    };
    await grown(issue('k'));
    await grown(writer.write('changeLicense', { id: 1, change: { revokedAt: 5 } }));
    await grown(writer.write('bindDomain', { licenseId: 1, domain: 'a.com', now: 1 }));
    await grown(writer.write('unbindDomain', { licenseId: 1, domain: 'a.com', now: 5 }));
    await grown(writer.write('publishFeed', { epoch: 1, generatedAt: 1, entries: '[]' }));
    const licenses = seen.map((each) => each.licenses);
    for (let index = 1; index < 5; index++)
      expect(licenses[index]).toBeGreaterThan(licenses[index - 1] as number);
    expect(seen[5]?.feed).toBe((seen[4]?.feed ?? 0) + 1);
  });

  test('every table is STRICT', () => {
    const tables = db.$client
      .prepare("select name, strict from pragma_table_list where schema = 'main' and type = 'table'")
      .all();
    const loose = tables.filter(({ name, strict }) => strict === 0 && !String(name).startsWith('sqlite_'));
    expect(loose).toEqual([]);
  });
});
