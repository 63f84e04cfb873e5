import { afterEach, describe, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { ATTACK_TYPES, type AttackType } from '../../src/domain/threat/attack-type.ts';
import { type FeedSnapshot, nextSnapshot } from '../../src/domain/threat/feed.ts';
import { fingerprintOf } from '../../src/domain/threat/fingerprint.ts';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import { Fault } from '../../src/lib/fault.ts';
import { createLog } from '../../src/lib/log.ts';
import { watchHealth } from '../../src/server/health.ts';
import { ALONE } from '../../src/storage/engine/clock-work.ts';
import type { FeedTerms } from '../../src/storage/threats/feed-snapshots.ts';
import { type Feed, startFeed } from '../../src/tasks/feed.ts';
import { until } from '../support/service.ts';

const ENTRY = { fingerprint: 'f', attackType: 'sql_injection' as AttackType, customers: 3, voices: 3 };
const RULE = { minCorroboration: 3, windowDays: 14, minAgeHours: 24, entriesMax: 10 };
let feed: Feed | undefined;
afterEach(() => feed?.stop());

/** A feed over an in-memory store; the test chooses its next snapshot. */
async function feedOver(
  compute: (terms: FeedTerms) => Promise<FeedSnapshot | undefined>,
  kept?: FeedSnapshot,
  monotonic = () => performance.now(),
) {
  const store = { snapshot: kept, generation: 0 };
  const lines: string[] = [];
  const started = await startFeed({
    clock: { now: Date.now, monotonic },
    log: createLog({ level: 'info', json: true, write: (text) => lines.push(text) }),
    clockWork: ALONE,
    writer: {
      write: (async (_: string, snapshot: FeedSnapshot) => {
        store.snapshot = snapshot;
        store.generation += 1;
      }) as never,
    },
    tuning: { epochSeconds: 1, rule: RULE },
    generation: () => store.generation,
    read: async () => store.snapshot,
    compute,
  });
  feed = started;
  return { feed: started, lines, store };
}

const snapshot = (last?: FeedSnapshot, threats = [ENTRY]) =>
  nextSnapshot(last, threats, RULE.minCorroboration, Date.now(), 1);

describe('the feed', () => {
  test('is built at the start, with the same bytes in both encodings', async () => {
    const { feed } = await feedOver(() => snapshot());
    const published = await feed.current();
    const text = (await published?.identity.body.text()) ?? '';
    expect(JSON.parse(text).data.entries).toEqual([
      { fingerprint: 'f', attack_type: 'sql_injection', severity: 'high', corroboration_count: 3 },
    ]);
    const unpacked = gunzipSync((await published?.gzip.body.bytes()) ?? new Uint8Array());
    expect(unpacked.toString()).toBe(text);
  });

  test('serves the last good epoch with its age when a rebuild fails, logs the failure, and recovers', async () => {
    let broken = false;
    let next: FeedSnapshot | undefined = await snapshot();
    const { feed, lines } = await feedOver(async () => {
      if (broken) throw new Fault('disk on fire');
      const made = next;
      next = undefined;
      return made;
    });
    const good = await feed.current();
    broken = true;
    await until(() => feed.problem);
    expect(await feed.current()).toBe(good as never);
    await until(() => feed.ageSeconds() >= 1);
    expect(lines.join('')).toContain('disk on fire');
    broken = false;
    await until(() => feed.problem === undefined);
    expect(feed.ageSeconds()).toBe(0);
  });

  test('with a rebuild that hangs makes the service not ready until it ends, also after a reload', async () => {
    let ahead = 0;
    let hung: PromiseWithResolvers<undefined> | undefined;
    let asked = 0;
    const { feed } = await feedOver(
      () => {
        asked += 1;
        return hung?.promise ?? Promise.resolve(undefined);
      },
      await snapshot(),
      () => performance.now() + ahead,
    );
    const { problems } = watchHealth({
      storeWatch: { problems: () => [] },
      isClockBehind: () => false,
      isReadable: () => true,
      isLeaving: () => false,
      canSign: () => true,
      addressMissing: () => undefined,
      adminAddressMissing: () => undefined,
      canSignReplies: async () => true,
      mirror: { isBroken: false },
      isAnalysisAvailable: () => true,
      certificate: () => undefined,
      adminCertificate: () => undefined,
      lastBackup: async () => undefined,
      firstMoment: async () => undefined,
      backupWarnHours: () => 0,
      sharedDraws: undefined,
      reloads: { hasLastFailed: false },
      now: Date.now,
      feed,
    });
    hung = Promise.withResolvers();
    const before = asked;
    await until(() => asked > before);
    expect(problems()).toEqual([]);
    ahead = 2 * MINUTE_MS + 1_000;
    expect(problems()).toEqual(['the threat feed is out of date: its rebuild hangs']);
    feed.retune({ epochSeconds: 1, rule: RULE });
    expect(problems()).toEqual(['the threat feed is out of date: its rebuild hangs']);
    hung.resolve(undefined);
    hung = undefined;
    await until(() => problems().length === 0);
  });

  test('is rebuilt as soon as its terms change', async () => {
    const asked: FeedTerms[] = [];
    const { feed } = await feedOver(async (terms) => void asked.push(terms), await snapshot());
    const other = { epochSeconds: 86_400, rule: { ...RULE, minCorroboration: 5 } };
    feed.retune(other);
    expect(await until(() => asked.find(({ epochSeconds }) => epochSeconds === 86_400))).toMatchObject(other);
  });

  test('is unavailable, never empty, before the first snapshot', async () => {
    const { feed } = await feedOver(async () => {
      throw new Fault('no store');
    });
    expect(await feed.current()).toBeUndefined();
    expect(feed.problem).toBe('no store');
  });

  test('continues with the epoch of an earlier process until the content changes', async () => {
    const kept = { ...(await snapshot()), epoch: 7 };
    const { feed } = await feedOver(async () => undefined, kept);
    expect(await (await feed.current())?.identity.body.text()).toContain('"epoch":7');
  });
});

describe('the next snapshot', () => {
  test('is the last one while its content is valid, otherwise a later epoch, also with a slow clock', async () => {
    const first = await snapshot();
    expect(await snapshot(first)).toBe(first);
    const ahead = { ...first, epoch: first.epoch + 1_000 };
    expect(await snapshot(ahead, [])).toMatchObject({ epoch: ahead.epoch + 1, entries: '[]' });
  });

  test('takes less than 176 bytes an entry, independent of the reported text', async () => {
    const fingerprint = fingerprintOf({ attackType: 'xss', behaviorClass: 'scan', payloadHash: 'x' });
    const entries = ATTACK_TYPES.map((attackType) => ({
      fingerprint,
      attackType,
      customers: 1_000_000,
      voices: 1_000_000,
    }));
    for (const entry of entries)
      expect((await snapshot(undefined, [entry])).entries.length - 2).toBeLessThan(176);
  });
});
