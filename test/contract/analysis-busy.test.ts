import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, call, type Reply } from '../support/client.ts';
import { CROWDED, crowd, PLACES } from '../support/crowd.ts';
import { sendRaw } from '../support/raw.ts';
import { type RunningService, start, TARGETS, until } from '../support/service.ts';
import { rows } from '../support/store.ts';

// Needs many starts of the service.

const QUICK = { input_type: 'text', content: 'Hello' };

describe.each([...TARGETS])('while more contents arrive at %s than can wait', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: every analysis slot is taken.
    service = await start(target, CROWDED);
    // Once its thread is ready.
    await analyze((await service.issue('--plan', 'pro')).key, QUICK);
  });
  afterAll(() => service.end());

  const analyze = (key: string, body: object) => call(service.url, `${API}/brain/analyze`, { key, body });

  /** Many requests of one new license. */
  const crowdOfOne = async () => {
    const { key, license_id } = await service.issue('--plan', 'pro');
    const id = Number(license_id.replace('lic_', ''));
    const counts = "select sum(given) as given from verdict_counts where category = '' and license_id = ?";
    return {
      key,
      counted: () => rows(service, counts, id)[0]?.given ?? 0,
      ...(await crowd(service, key)),
    };
  };

  test('a license has one analysed and 32 waiting; the rest is refused and not counted', async () => {
    const { all, answered, refused, counted } = await crowdOfOne();
    await all;
    expect(answered().length).toBeGreaterThanOrEqual(PLACES);
    for (const { headers, json } of refused())
      expect([json.error.code, headers.get('retry-after')]).toEqual(['ANALYSIS_BUSY', '5']);
    expect(counted()).toBe(answered().length);
  });

  test('other routes are answered, and another license gets its turn', async () => {
    const other = await service.issue('--plan', 'pro');
    const { key, all, pending } = await crowdOfOne();
    const answeredFirst = async (reply: Promise<Reply>) => [(await reply).status, pending() > 0];
    const outcomes = await Promise.all([
      answeredFirst(call(service.url, `${API}/status`)),
      answeredFirst(call(service.url, `${API}/me`, { key })),
      answeredFirst(analyze(other.key, QUICK)),
    ]);
    for (const outcome of outcomes) expect(outcome).toEqual([200, true]);
    await all;
  });

  test('nine licenses in every place block no other license', async () => {
    const own = await start(target, CROWDED);
    const issueNine = () => Promise.all(Array.from({ length: 9 }, () => own.issue('--plan', 'pro')));
    const ask = (key: string, body: object) => call(own.url, `${API}/brain/analyze`, { key, body });
    const [many, newcomers] = [await issueNine(), await issueNine()];
    expect((await ask(newcomers[0]?.key ?? '', QUICK)).status).toBe(200);
    // Each takes a fifth of a second. Over separate sockets: fetch sends at most 256 at a time.
    const body = JSON.stringify({ input_type: 'code', content: "'".repeat(48 * 1024) });
    const statuses: number[] = [];
    for (const { key } of many) {
      const request = [
        ...['POST /api/v1/brain/analyze HTTP/1.1', 'Host: x.test', `Authorization: Bearer ${key}`],
        ...[`Content-Length: ${body.length}`, '', body],
      ].join('\r\n');
      for (let place = 0; place < PLACES - 1; place++) {
        sendRaw(own.url, request).then(
          ({ status }) => statuses.push(status),
          () => {},
        );
      }
    }
    await until(() => statuses.includes(503));
    const replies = await Promise.all(newcomers.map(({ key }) => ask(key, QUICK)));
    expect(replies.map(({ status }) => status)).toEqual(Array(9).fill(200));
    // Not because a place became free.
    expect(statuses.length).toBeLessThan(150);
    await own.end('SIGKILL');
  });

  // Deno does not always report that a caller disconnected.
  test.if(target === 'binary')('callers who disconnect free their places', async () => {
    const { key, hangUp, counted } = await crowdOfOne();
    await hangUp();
    await until(async () => (await analyze(key, QUICK)).status === 200);
    expect(counted()).toBeLessThan(PLACES);
  });

  test('a reload keeps the waiting requests, and a stop answers them', async () => {
    const { all, answered } = await crowdOfOne();
    service.process.kill('SIGHUP');
    await until(() => service.log().includes('"message":"reloaded"'));
    expect(await service.end()).toBe(0);
    await all;
    expect(answered().length).toBeGreaterThanOrEqual(PLACES);
    expect(service.log()).not.toMatch(/"level":"(warn|error)"/);
  });
});
