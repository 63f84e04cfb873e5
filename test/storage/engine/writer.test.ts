import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { NO_LIMIT } from '../../../src/domain/license/daily-budget.ts';
import { isRefusal } from '../../../src/domain/refusal.ts';
import { Fault } from '../../../src/lib/fault.ts';
import { prepareBatches } from '../../../src/storage/changes.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Job } from '../../../src/storage/engine/jobs/jobs.ts';
import { connect } from '../../../src/storage/engine/sqlite/database.ts';
import { STALE } from '../../../src/storage/engine/stale.ts';
import { prepare } from '../../../src/storage/engine/statement.ts';
import { createGroupWriter, type Writer } from '../../../src/storage/engine/writer.ts';
import { newDatabase } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';
import { until } from '../../support/service.ts';

const engine = engineOf(import.meta);

let db: Database;
let commits: number;
let writer: Writer;
let faults: string[];

beforeEach(async () => {
  db = await engine.open();
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
afterEach(() => disconnect(db));

const issue = (keyHash: string, domains?: string[]): Promise<unknown> =>
  writer.write('issueLicense', issueJob(keyHash, domains).input);
const issueJob = (keyHash: string, domains: string[] = []) =>
  ({
    name: 'issueLicense',
    input: {
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
    },
  }) satisfies Job;
/** A job for a site for which license 1 has no space. */
const registration = {
  name: 'recordTelemetry',
  input: {
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
  },
} satisfies Job;
const count = async (table: string) =>
  (await prepare<{ n: number }>(db, `select count(*) as n from ${table}`).get())?.n;

describe('the writer', () => {
  test('commits jobs that arrive together in one transaction', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => issue(`k${index}`)));
    expect(new Set(ids).size).toBe(20);
    expect(commits).toBe(1);
  });

  test('undoes only a failing job, and answers it with STORE_UNAVAILABLE', async () => {
    const [first, twin, other] = await Promise.all([
      issue('same', ['a.com']),
      issue('same', ['b.com']),
      issue('other'),
    ]);
    expect([first, other]).toEqual([1, expect.any(Number)]);
    expect(twin).toMatchObject({ refused: 'STORE_UNAVAILABLE' });
    expect([
      await count('licenses'),
      await count('license_domains'),
      await count('audit_log'),
      faults.length,
    ]).toEqual([2, 1, 2, 1]);
  });

  test('leaves nothing of a refused job', async () => {
    await issue('k', ['a.com']);
    expect(await writer.write('recordTelemetry', registration.input)).toMatchObject({
      refused: 'SITE_LIMIT_REACHED',
    });
    expect([await count('sites'), await count('license_domains')]).toEqual([0, 1]);
  });

  test('refuses jobs beyond its queue, and finishes the accepted ones when it is closed', async () => {
    const answers = Array.from({ length: 100 }, (_, index) => issue(`k${index}`));
    await writer.close();
    const refused = (await Promise.all(answers)).filter(isRefusal);
    expect([refused.length, await count('licenses')]).toEqual([36, 64]);
    expect(refused[0]).toMatchObject({ refused: 'STORE_UNAVAILABLE', retryAfterSeconds: 1 });
    expect(await issue('late')).toMatchObject({ refused: 'STORE_UNAVAILABLE' });
  });

  test('refuses a whole batch that cannot be committed, and continues afterwards', async () => {
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
    expect([faults, await count('audit_log')]).toEqual([['disk full'], 1]);
  });
});

test('jobs that waited during a batch that failed late are refused, without another wait', async () => {
  const { promise: failure, reject: fail } = Promise.withResolvers<never>();
  const batches: number[] = [];
  const run = prepareBatches(db);
  const slow = createGroupWriter({
    commit: async (work) => {
      batches.push(work.length);
      return batches.length === 1 ? failure : run(work);
    },
    onFault: () => {},
    queueMsMax: 50,
  });
  const entry = { at: 1, actor: 'system', action: 'x', subject: null } as const;
  const first = slow.write('audit', entry);
  await until(() => batches.length === 1);
  const early = slow.write('audit', entry);
  await Bun.sleep(60);
  const late = slow.write('audit', entry);
  fail(new Fault('the lock is not to be had'));
  expect(await first).toMatchObject({ refused: 'STORE_UNAVAILABLE' });
  expect(await early).toMatchObject({ refused: 'STORE_UNAVAILABLE' });
  expect([isRefusal(await late), batches, await count('audit_log')]).toEqual([false, [1, 1], 1]);
});

const generations = async () => {
  const select = 'select licenses, feed from generations';
  const found = await prepare<{ licenses: number; feed: number }>(db, select).get();
  return found ?? expect.unreachable();
};

describe('a change', () => {
  const actions = async () => prepare<object>(db, 'select action from audit_log order by id').all();
  const entry = (action: string): Job => ({
    name: 'audit',
    input: { at: 1, actor: 'token:shop', action, subject: null },
  });
  const revoke: Job = { name: 'changeLicense', input: { id: 1, change: { revokedAt: 5 } } };
  const changeWith = async (...jobs: Job[]) => writer.change({ jobs, plannedAt: await generations() });

  test('does its jobs in order, together, and returns each result', async () => {
    const outputs = await changeWith(issueJob('k'), revoke, entry('a'));
    expect(outputs).toEqual([1, undefined, undefined]);
    const revoked = await prepare<object>(db, 'select revoked_at as at from licenses').all();
    expect([commits, revoked]).toEqual([1, [{ at: 5 }]]);
  });

  test.each([
    ['a fault', () => entry(null as never), 1],
    ['a refusal', () => registration, 0],
  ])('leaves nothing when %s stops it midway, and others of its batch succeed', async (_, bad, faultsMet) => {
    await issue('same', ['a.com']);
    const plannedAt = await generations();
    const [stopped, other] = await Promise.all([
      writer.change({ jobs: [entry('before'), bad(), entry('after')], plannedAt }),
      writer.write('audit', { at: 1, actor: 'system', action: 'x', subject: null }),
    ]);
    expect([isRefusal(stopped), isRefusal(other)]).toEqual([true, false]);
    expect(await actions()).toEqual([{ action: 'license.issue' }, { action: 'x' }]);
    expect(faults).toHaveLength(faultsMet);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a license', () => issue('other')],
    ['the feed', () => writer.write('publishFeed', { epoch: 1, generatedAt: 1, entries: '[]', own: null })],
  ])(
    'is stale, and does nothing, when %s has changed since it was planned, also within its batch',
    async (_, change) => {
      const plannedAt = await generations();
      const together = [change(), writer.change({ jobs: [entry('late')], plannedAt })];
      expect((await Promise.all(together))[1]).toBe(STALE);
      expect(await writer.change({ jobs: [entry('later')], plannedAt })).toBe(STALE);
      expect(JSON.stringify(await actions())).not.toContain('late');
      expect(await changeWith(entry('anew'))).toEqual([undefined]);
    },
  );
});

describe('what is written', () => {
  test('every change of licenses, domains and the feed increments its generation', async () => {
    const seen = [await generations()];
    const grown = async (change: Promise<unknown>) => {
      await change;
      seen.push(await generations());
    };
    await grown(issue('k'));
    await grown(writer.write('changeLicense', { id: 1, change: { revokedAt: 5 } }));
    await grown(writer.write('bindDomain', { licenseId: 1, domain: 'a.com', now: 1 }));
    await grown(writer.write('unbindDomain', { licenseId: 1, domain: 'a.com', now: 5 }));
    await grown(writer.write('publishFeed', { epoch: 1, generatedAt: 1, entries: '[]', own: null }));
    const licenses = seen.map((each) => each.licenses);
    for (let index = 1; index < 5; index++)
      expect(licenses[index]).toBeGreaterThan(licenses[index - 1] as number);
    expect(seen[5]?.feed).toBe((seen[4]?.feed ?? 0) + 1);
  });
});

describe('what is written', () => {
  test('every table is STRICT', () => {
    const db = connect(newDatabase());
    const tables = db.$client
      .prepare("select name, strict from pragma_table_list where schema = 'main' and type = 'table'")
      .all();
    const loose = tables.filter(({ name, strict }) => strict === 0 && !String(name).startsWith('sqlite_'));
    expect(loose).toEqual([]);
    db.$client.close();
  });
});
