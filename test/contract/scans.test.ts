import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { API, call, type Reply } from '../support/client.ts';
import { engineOf } from '../support/engines.ts';
import { type Answers, type FakeSite, fakeSite, wire } from '../support/fake-site.ts';
import { askScan, codeOf, endedScan, issueControlled, readScan } from '../support/scans.ts';
import { type RunningService, run, sharedService, start, TARGETS, until } from '../support/service.ts';
import { rows, stored } from '../support/store.ts';
import { untilLimited } from '../support/until-limited.ts';

const PRIVATE = {
  SERVICE_RATE_KEY_PER_MINUTE: '100000',
  SERVICE_RATE_IP_PER_MINUTE: '100000',
  SERVICE_SCAN_ALLOW_PRIVATE: '1',
};
const SCAN_ID = /^[0-9A-Za-z]{22}$/;

const sites: FakeSite[] = [];
afterEach(() => {
  for (const site of sites.splice(0)) site.close();
});
const site = async (answers: Answers) => {
  const started = await fakeSite(answers);
  sites.push(started);
  return started;
};
/** A site that answers when the test lets it. */
async function slowSite() {
  const held: Socket[] = [];
  const { port, heads } = await site((_, socket) => void held.push(socket));
  const answer = () => {
    for (const socket of held.splice(0)) socket.end(wire(200));
  };
  return { url: `http://localhost:${port}/`, held, heads, answer };
}

const list = async (on: RunningService, key: string, query = '') =>
  (await call(on.url, `${API}/scans${query}`, { key })).json.data;
const cancel = (on: RunningService, key: string, id: string) =>
  call(on.url, `${API}/scans/${id}/cancel`, { key, method: 'POST' });
const numberOf = ({ license }: { license: string }) => Number(license.slice('lic_'.length));
const surface = (site_url: string) => ({ site_url, scan_type: 'surface' });
const posture = (site_url: string) => ({ site_url, scan_type: 'posture' });

describe.each(TARGETS)('under %s', (target) => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    service = await sharedService(target, 'private sites');
    ({ key } = await issueControlled(service, 'shop.com'));
  });
  afterAll(() => {
    expect(service.log()).not.toContain('unexpected error');
  });

  test('a scan is queued, has an address for its result, and finds the same as POST /scan', async () => {
    const { port } = await site(() => wire(200, {}, 'Hello'));
    for (const body of [posture('https://www.shop.com/blog'), surface(`http://localhost:${port}`)]) {
      const reply = await askScan(service, key, body);
      const { data } = reply.json;
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([202, '2']);
      expect(reply.headers.get('location')).toBe(`/api/v1/scans/${data.scan_id}`);
      expect(data).toEqual({
        scan_id: expect.stringMatching(SCAN_ID),
        status: 'queued',
        scan_type: body.scan_type,
        site_url: body.scan_type === 'posture' ? 'https://shop.com/' : `http://localhost:${port}/`,
        trigger: 'api',
        queued_at: expect.any(String),
        started_at: null,
        finished_at: null,
        failure: null,
      });
      const result = await endedScan(service, key, data.scan_id);
      expect(result).toMatchObject({ status: 'done', progress: 100, failure: null });
      const { findings } = (await call(service.url, `${API}/scan`, { key, body })).json.data;
      expect(result.findings).toEqual(findings);
      expect(findings.length).toBeGreaterThan(0);
    }
  });

  test('a completed scan has an ETag and does not change', async () => {
    const { scan_id: id } = (await askScan(service, key, posture('shop.com'))).json.data;
    await endedScan(service, key, id);
    const whole = await readScan(service, key, id);
    const etag = whole.headers.get('etag') ?? '';
    expect([whole.status, whole.headers.get('retry-after')]).toEqual([200, null]);
    const again = await readScan(service, key, id, { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('a running scan reports its progress, and ends when it is cancelled', async () => {
    const slow = await slowSite();
    const own = await issueControlled(service);
    const { scan_id: id } = (await askScan(service, own.key, surface(slow.url))).json.data;
    await until(() => slow.held.length > 0);
    const running = await readScan(service, own.key, id);
    expect(running.json.data).toMatchObject({ status: 'running', findings: [], finished_at: null });
    expect(running.json.data.progress).toBeWithin(1, 100);
    expect(running.headers.get('retry-after')).toBe('2');

    const requests = slow.heads.length;
    expect((await cancel(service, own.key, id)).json.data.scan_id).toBe(id);
    slow.answer();
    expect(await endedScan(service, own.key, id)).toMatchObject({
      status: 'canceled',
      failure: null,
      findings: [],
    });
    expect(slow.heads.length).toBe(requests);
    // A completed one stays unchanged.
    expect((await cancel(service, own.key, id)).json.data.status).toBe('canceled');
  });
});

describe('a service', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await sharedService('binary', 'private sites');
  });

  test('runs one scan of a license at a time and queues four, without delaying other licenses', async () => {
    const slow = await slowSite();
    const names = Array.from({ length: 5 }, (_, at) => `127.0.0.${at + 2}`);
    const [own, other] = [await issueControlled(service, ...names), await issueControlled(service)];
    const ids: string[] = [];
    for (const url of [slow.url, ...names.slice(0, 4).map((name) => `http://${name}:1`)])
      ids.push((await askScan(service, own.key, surface(url))).json.data.scan_id);
    const before = stored(service);
    const full = await askScan(service, own.key, surface(`http://${names[4]}:1`));
    expect(codeOf(full)).toEqual([503, 'SCAN_QUEUE_FULL']);
    expect(full.headers.get('retry-after')).toBe('30');
    expect(stored(service)).toEqual(before);

    const others = (await askScan(service, other.key, posture('localhost'))).json.data;
    expect((await endedScan(service, other.key, others.scan_id)).status).toBe('done');
    const statuses = (await list(service, own.key)).scans.map(({ status }: { status: string }) => status);
    expect(statuses.filter((status: string) => status !== 'queued')).toEqual(['running']);

    // A queued one ends immediately.
    expect((await cancel(service, own.key, ids[4] ?? '')).json.data.status).toBe('canceled');
    const answering = setInterval(slow.answer, 5);
    for (const id of ids.slice(0, 4)) expect((await endedScan(service, own.key, id)).status).toBe('done');
    clearInterval(answering);
  });

  test('returns the queued or running scan for the same request, and starts another one later', async () => {
    const slow = await slowSite();
    const { key } = await issueControlled(service);
    const first = (await askScan(service, key, surface(slow.url))).json.data;
    await until(() => slow.held.length > 0);
    const again = await Promise.all(
      Array.from({ length: 30 }, () => askScan(service, key, surface(slow.url.slice(0, -1)))),
    );
    for (const same of again) expect([same.status, same.json.data.scan_id]).toEqual([202, first.scan_id]);
    const elsewhere = await askScan(service, key, surface(`${slow.url}shop/`));
    expect(elsewhere.json.data.scan_id).not.toBe(first.scan_id);
    const answering = setInterval(slow.answer, 5);
    await endedScan(service, key, first.scan_id);
    const next = (await askScan(service, key, surface(slow.url))).json.data;
    expect(next.scan_id).not.toBe(first.scan_id);
    await endedScan(service, key, next.scan_id);
    clearInterval(answering);
  });

  test('returns the same scan for the same Idempotency-Key, and refuses another body for it', async () => {
    const [own, other] = [await issueControlled(service), await issueControlled(service)];
    const headers = { 'idempotency-key': 'Order-66_a' };
    const { scan_id: id } = (await askScan(service, own.key, posture('localhost'), headers)).json.data;
    await endedScan(service, own.key, id);
    const again = await askScan(service, own.key, posture('localhost'), headers);
    expect([again.status, again.json.data]).toEqual([
      202,
      expect.objectContaining({ scan_id: id, status: 'done' }),
    ]);
    const before = stored(service);
    expect(codeOf(await askScan(service, own.key, posture('shop.com'), headers))).toEqual([
      409,
      'IDEMPOTENCY_KEY_REUSED',
    ]);
    expect(stored(service)).toEqual(before);
    expect((await askScan(service, other.key, posture('localhost'), headers)).json.data.scan_id).not.toBe(id);

    rows(
      service,
      'update scan_requests set requested_at = requested_at - 24 * 3600 * 1000 where license_id = ?',
      numberOf(own),
    );
    const later = (await askScan(service, own.key, posture('localhost'), headers)).json.data;
    expect(later.scan_id).not.toBe(id);
    for (const key of ['', 'a b', 'ü', 'x'.repeat(65), 'a,b'])
      expect(
        codeOf(await askScan(service, own.key, posture('localhost'), { 'idempotency-key': encodeURI(key) })),
      ).toEqual([400, 'INVALID_PAYLOAD']);
  });

  test('starts ten scans of a license per minute', async () => {
    const { key } = await issueControlled(service);
    const { refused } = await untilLimited(10, async () => {
      const reply = await askScan(service, key, posture('localhost'));
      if (reply.status === 202) await endedScan(service, key, reply.json.data.scan_id);
      return reply;
    });
    expect(refused.json.error.code).toBe('RATE_LIMITED');
  });

  test.each<[string, unknown]>([
    ['no body', ''],
    ['no type', { site_url: 'shop.com' }],
    ['an unknown type', { site_url: 'shop.com', scan_type: 'planted' }],
    ['no site', { scan_type: 'posture' }],
    ['an invalid site', posture('user@shop.com')],
    ['an unknown field', { ...posture('shop.com'), planted: 1 }],
  ])('refuses %s, without an echo, and stores nothing', async (_, body) => {
    const { key } = await issueControlled(service, 'shop.com');
    const before = stored(service);
    const reply = await askScan(service, key, body);
    expect(codeOf(reply)).toEqual([400, 'INVALID_PAYLOAD']);
    expect(reply.text).not.toMatch(/planted|user@/);
    expect(stored(service)).toEqual(before);
  });

  test('refuses a site that is not registered, not proven, or missing', async () => {
    const { key } = await service.issue('--plan', 'starter', '--domain', 'shop.com');
    expect(codeOf(await askScan(service, key, posture('other.com')))).toEqual([404, 'SITE_NOT_FOUND']);
    expect(codeOf(await askScan(service, key, surface('other.com')))).toEqual([404, 'SITE_NOT_FOUND']);
    expect(codeOf(await askScan(service, key, surface('shop.com')))).toEqual([403, 'DOMAIN_NOT_VERIFIED']);
    expect((await askScan(service, key, posture('shop.com'))).status).toBe(202);
  });

  test('shows no tenant another license’s scans: their ids look like unknown ones', async () => {
    const [own, other] = [await issueControlled(service), await issueControlled(service)];
    const { scan_id: id } = (await askScan(service, own.key, posture('localhost'))).json.data;
    await endedScan(service, own.key, id);
    const bodies = await Promise.all(
      [id, 'A'.repeat(22), '%00', '..%2f'].flatMap((name) => [
        readScan(service, other.key, name),
        cancel(service, other.key, name),
      ]),
    );
    expect(new Set(bodies.map(({ text }) => text)).size).toBe(1);
    expect(codeOf(bodies[0] as Reply)).toEqual([404, 'SCAN_NOT_FOUND']);
    expect((await list(service, other.key)).scans).toEqual([]);
  });

  test('lists scans by site, status, type and moment, a page at a time', async () => {
    const { key } = await issueControlled(service, 'shop.com', 'other.com');
    await call(service.url, `${API}/telemetry`, { key, body: { site_url: 'shop.com', license_key: key } });
    const [shop] = (await call(service.url, `${API}/sites`, { key })).json.data.sites;
    const ids: string[] = [];
    for (const name of ['shop.com', 'other.com', 'shop.com']) {
      const { scan_id: id } = (await askScan(service, key, posture(name))).json.data;
      await endedScan(service, key, id);
      ids.unshift(id);
    }
    const idsOf = async (query: string) =>
      (await list(service, key, query)).scans.map(({ scan_id }: { scan_id: string }) => scan_id);
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf(`?site=${shop.id}`)).toEqual([ids[0], ids[2]]);
    for (const unknown of ['unknown', 'x'.repeat(65)]) expect(await idsOf(`?site=${unknown}`)).toEqual([]);
    expect(await idsOf('?status=done&scan_type=posture')).toEqual(ids);
    for (const query of [
      '?status=queued',
      '?status=running',
      '?status=failed',
      '?status=canceled',
      '?scan_type=surface',
    ])
      expect(await idsOf(query)).toEqual([]);
    expect(await idsOf('?since=2999-01-01T00:00:00Z')).toEqual([]);
    const page = await list(service, key, '?limit=2');
    expect(page.scans.map(({ scan_id }: { scan_id: string }) => scan_id)).toEqual(ids.slice(0, 2));
    const rest = await list(service, key, `?limit=2&cursor=${page.next_cursor}`);
    expect([rest.scans[0].scan_id, rest.scans.length, rest.next_cursor]).toEqual([ids[2], 1, null]);
    for (const query of ['?status=over', '?limit=0', '?limit=201', '?since=now', '?cursor=x', '?findings=1'])
      expect((await call(service.url, `${API}/scans${query}`, { key })).json.error.code).toBe(
        'INVALID_QUERY',
      );
  });

  test('checks control and the license again when a scan starts', async () => {
    const slow = await slowSite();
    const [waiting, revoked] = [
      await issueControlled(service, '127.0.0.9'),
      await issueControlled(service, '127.0.0.9'),
    ];
    const port = new URL(slow.url).port;
    const later: [string, string][] = [];
    for (const { key } of [waiting, revoked]) {
      await askScan(service, key, surface(slow.url));
      const { scan_id: id } = (await askScan(service, key, surface(`http://127.0.0.9:${port}`))).json.data;
      later.push([key, id]);
    }
    await service.command('license', 'verify-domain', waiting.license, '--domain', '127.0.0.9', '--withdraw');
    await service.command('license', 'suspend', revoked.license, '--hold', 'operator');
    const answering = setInterval(slow.answer, 5);
    const [first = ['', ''], second = ['', '']] = later;
    expect(await endedScan(service, ...first)).toMatchObject({ status: 'failed', failure: 'not_verified' });
    await until(() => rows(service, 'select 1 from scans where finished_at is null').length === 0);
    clearInterval(answering);
    expect(rows(service, `select failure from scans where public_id = '${second[1]}'`)).toEqual([
      { failure: 'disabled' },
    ]);
  });
});

test("the operator's daily limit of scans applies", async () => {
  // Its own process: it is killed.
  const service = await start('binary', { ...PRIVATE, SERVICE_SCAN_DAILY_CAP: '1' });
  const { key } = await issueControlled(service);
  const { scan_id: id } = (await askScan(service, key, posture('localhost'))).json.data;
  await endedScan(service, key, id);
  const before = stored(service);
  const reply = await askScan(service, key, posture('localhost'));
  expect(codeOf(reply)).toEqual([429, 'DAILY_CAP_EXCEEDED']);
  expect(Number(reply.headers.get('retry-after'))).toBeWithin(1, 86_401);
  expect(stored(service)).toEqual(before);
  await service.end();
});

// On PostgreSQL others need 90 seconds to detect a dead node.
const ENDS =
  engineOf(import.meta).name === 'SQLite' ? (['SIGKILL', 'SIGTERM'] as const) : (['SIGTERM'] as const);
test.each(ENDS)(
  '%s ends a running scan as interrupted, and a queued one continues after the next start',
  async (signal) => {
    const slow = await slowSite();
    const first = await start('binary', PRIVATE);
    const { key } = await issueControlled(first, '127.0.0.9');
    const running = (await askScan(first, key, surface(slow.url))).json.data.scan_id;
    await until(() => slow.held.length > 0);
    const waiting = (await askScan(first, key, surface(`http://127.0.0.9:${new URL(slow.url).port}`))).json
      .data.scan_id;
    await first.end(signal);
    const answering = setInterval(slow.answer, 5);
    const second = await start('binary', first.env);
    expect(await endedScan(second, key, running)).toMatchObject({ status: 'failed', failure: 'interrupted' });
    expect(await endedScan(second, key, waiting)).toMatchObject({ status: 'done' });
    clearInterval(answering);
    await second.end();
  },
);

describe('a schedule', () => {
  let service: RunningService;
  let own: Awaited<ReturnType<typeof issueControlled>>;
  let id: string;
  beforeAll(async () => {
    service = await sharedService('binary', 'private sites');
    own = await issueControlled(service);
    const body = { site_url: 'localhost', license_key: own.key };
    await call(service.url, `${API}/telemetry`, { key: own.key, body });
    id = (await call(service.url, `${API}/sites`, { key: own.key })).json.data.sites[0].id;
  });
  const path = () => `${API}/sites/${id}/scan-schedule`;
  const set = (body: unknown, key = own.key) => call(service.url, path(), { key, method: 'POST', body });
  const get = async () => (await call(service.url, path(), { key: own.key })).json.data;

  test('is created, replaced and deleted, and is due within its interval', async () => {
    expect(await get()).toEqual({ interval_hours: 0, scan_type: null, next_at: null });
    for (const interval_hours of [24, 168, 720]) {
      const { data } = (await set({ interval_hours, scan_type: 'surface' })).json;
      expect(data).toMatchObject({ interval_hours, scan_type: 'surface' });
      expect(Date.parse(data.next_at) - Date.now()).toBeWithin(0, interval_hours * 3_600_000 + 1);
      expect(await get()).toEqual(data);
    }
    expect((await set({ interval_hours: 0, scan_type: 'surface' })).json.data.next_at).toBeNull();
    expect(rows(service, 'select * from scan_schedules where license_id = ?', numberOf(own))).toEqual([]);
  });

  test('needs proof of control; a malformed one or another license’s is refused, and nothing is stored', async () => {
    const other = await issueControlled(service);
    const before = stored(service);
    for (const body of [{}, { interval_hours: 1, scan_type: 'surface' }, { interval_hours: 24 }, '']) {
      const reply = await set(body);
      expect(codeOf(reply)).toEqual([400, 'INVALID_PAYLOAD']);
    }
    const wanted = { interval_hours: 24, scan_type: 'surface' };
    expect(codeOf(await set(wanted, other.key))).toEqual([404, 'SITE_NOT_FOUND']);
    expect(stored(service)).toEqual(before);

    await service.command('license', 'verify-domain', own.license, '--domain', 'localhost', '--withdraw');
    expect(codeOf(await set(wanted))).toEqual([403, 'DOMAIN_NOT_VERIFIED']);
    expect((await set({ ...wanted, interval_hours: 0 })).status).toBe(200);
  });
});

test('without surface scans, one that was queued before the start fails, and no new one is accepted', async () => {
  const slow = await slowSite();
  const first = await start('binary', PRIVATE);
  const { key } = await issueControlled(first, '127.0.0.9');
  await askScan(first, key, surface(slow.url));
  await until(() => slow.held.length > 0);
  const waiting = (await askScan(first, key, surface('http://127.0.0.9'))).json.data.scan_id;
  await first.end(ENDS[0]);
  const second = await start('binary', { ...first.env, SERVICE_SURFACE_SCANS: '0' });
  expect(await endedScan(second, key, waiting)).toMatchObject({ status: 'failed', failure: 'disabled' });
  expect(codeOf(await askScan(second, key, surface(slow.url)))).toEqual([403, 'SURFACE_SCAN_DISABLED']);
  await second.end();
  expect((await run('binary', second.env, 'config')).exitCode).toBe(0);
});
