import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, call, type Reply } from '../support/client.ts';
import { sendRaw } from '../support/raw.ts';
import { type RunningService, start } from '../support/service.ts';
import { RESTORE, signalAt } from '../support/signals.ts';
import { holdChanges, rows } from '../support/store.ts';

const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };
const DAILY_CAP = 20;
/** More than the queue accepts; `fetch` would hold back those over 256. */
const SENT_TOGETHER = 400;
let service: RunningService;
beforeAll(async () => {
  // Its own process: it is killed, and its database is locked.
  service = await start('binary', { ...UNLIMITED, SERVICE_DAILY_CAP: String(DAILY_CAP) });
});
afterAll(() => service.end());

const newKey = async () => (await service.issue('--plan', 'free')).key;
const together = (times: number, send: (index: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: times }, (_, index) => send(index)));
const countOf = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;
const countRows = (table: string, where = '1 = 1') =>
  Number(rows(service, `select count(*) as n from ${table} where ${where}`)[0]?.n);

describe('signals that arrive together', () => {
  const cloud = signalAt('/cloud-immunity/signal');
  const pc = signalAt('/pc-guard/signal');

  test('leave one complete snapshot, of one of them', async () => {
    const key = await newKey();
    const sendCount = (resourceCount: number) =>
      call(service.url, API + cloud.path, { key, body: { ...cloud.body, resourceCount } });
    const before = countRows('signal_snapshots');
    expect(countOf(await together(50, sendCount), 200)).toBe(50);
    expect(countRows('signal_snapshots') - before).toBe(1);
    expect((await sendCount(777)).status).toBe(200);
    const [kept] = rows(service, 'select record from signal_snapshots order by received_at desc limit 1');
    expect(JSON.parse(String(kept?.record))).toMatchObject({ ...cloud.body, resourceCount: 777 });
  });

  test('are counted exactly against a daily volume, and those over it store nothing', async () => {
    const key = await newKey();
    const before = countRows('signal_snapshots');
    const replies = await together(50, (index) =>
      call(service.url, API + RESTORE.path, { key, body: { ...RESTORE.body, siteIdHash: `site-${index}` } }),
    );
    expect([countOf(replies, 200), countOf(replies, 429)]).toEqual([DAILY_CAP, 50 - DAILY_CAP]);
    expect(countRows('signal_snapshots') - before).toBe(DAILY_CAP);
    expect(rows(service, 'select accepted from daily_usage')).toEqual([{ accepted: DAILY_CAP }]);
  });

  test('and fill the queue get a time to retry, and refused ones are not stored', async () => {
    const key = await newKey();
    const before = countRows('signal_history');
    const text = JSON.stringify(pc.body);
    const request =
      `POST ${API}${pc.path} HTTP/1.1\r\nhost: service.test\r\nauthorization: Bearer ${key}\r\n` +
      `content-length: ${text.length}\r\n\r\n${text}`;
    let letGo: Promise<void> | undefined;
    const release = await holdChanges(service);
    // Only a full queue answers while the store is locked; that unlocks it.
    const answers = await Promise.all(
      Array.from({ length: SENT_TOGETHER }, async () => {
        const answer = await sendRaw(service.url, request);
        letGo ??= release();
        await letGo;
        return answer;
      }),
    );
    const refused = answers.filter(({ status }) => status === 503);
    const accepted = answers.filter(({ status }) => status === 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(accepted.length + refused.length).toBe(SENT_TOGETHER);
    for (const { body, headers } of refused) {
      expect([JSON.parse(body).error.code, headers.get('retry-after')]).toEqual(['STORE_UNAVAILABLE', '1']);
    }
    expect(countRows('signal_history') - before).toBe(accepted.length);
    expect((await call(service.url, API + pc.path, { key, body: pc.body })).status).toBe(200);
  });

  test('are on disk once they are answered: SIGKILL in the middle loses none', async () => {
    const doomed = await start('binary', UNLIMITED);
    const { key } = await doomed.issue('--plan', 'free');
    const acknowledged: number[] = [];
    const sending = Array.from({ length: 200 }, async (_, deviceCount) => {
      const reply = await call(doomed.url, API + pc.path, { key, body: { ...pc.body, deviceCount } }).catch(
        () => undefined,
      );
      if (reply?.status === 200) acknowledged.push(deviceCount);
      if (acknowledged.length === 50) doomed.process.kill('SIGKILL');
    });
    await Promise.all(sending);
    await doomed.end('SIGKILL');
    const kept = new Set(
      rows(doomed, 'select record from signal_history').map(
        ({ record }) => JSON.parse(String(record)).deviceCount,
      ),
    );
    expect(acknowledged.length).toBeGreaterThanOrEqual(50);
    expect(acknowledged.filter((deviceCount) => !kept.has(deviceCount))).toEqual([]);
  });
});
