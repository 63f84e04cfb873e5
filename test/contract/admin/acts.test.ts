import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Admin, adminOf, auditOf, tokenOf } from '../../support/admin.ts';
import { API, call } from '../../support/client.ts';
import { type RunningService, start, TARGETS } from '../../support/service.ts';
import { everythingKept, rows } from '../../support/store.ts';

const SETTINGS = {
  SERVICE_ADMIN_RATE_PER_MINUTE: '100000',
  SERVICE_RATE_IP_PER_MINUTE: '100000',
  SERVICE_THREAT_FEED_ENABLED: '1',
  SERVICE_FEED_EPOCH_SECONDS: '86400',
  SERVICE_FEED_MIN_CORROBORATION: '1',
  SERVICE_FEED_MIN_AGE_HOURS: '0',
};
const DOMAIN = 'shop.example.com';
const CUSTOMER = { customer: 'Example Ltd', email: 'owner@example.com', external_id: 'order-1', note: 'VIP' };

/** The answer to the plugin of a site. */
async function verifyAnswer({ url }: RunningService, key: string, domain = DOMAIN): Promise<unknown> {
  const { valid, plan, reason } = (await call(url, `${API}/license/verify`, { key, body: { domain } })).json;
  return valid ? plan : (reason ?? 'invalid');
}

describe.each([...TARGETS])('on %s', (target) => {
  let service: RunningService;
  let admin: Admin;
  beforeAll(async () => {
    // Its own process: every file in its data directory is read, and the feed has to be empty.
    service = await start(target, SETTINGS);
    admin = adminOf(service, await tokenOf(service));
  });
  afterAll(() => service.end());

  test('a refused act repeats no value of its request, and stores nothing', async () => {
    const { license } = (await admin('/licenses', { body: { plan: 'pro' } })).json.data;
    const planted = 'zq7planted';
    const domain = `${planted}.com`;
    const ofLicense = `/licenses/${license.license_id}`;
    const fingerprint = `${'zq7planted'.repeat(4)}zqA`;
    const acts: [path: string, body: object][] = [
      ['/licenses', { plan: 'pro', allow_modules: [planted] }],
      ...['allow_modules', 'deny_modules'].map((name): [string, object] => [
        `${ofLicense}/change`,
        { [name]: [planted] },
      ]),
      ...['unbind', 'unblock', 'verify-domain'].map((verb): [string, object] => [
        `${ofLicense}/${verb}`,
        { domain },
      ]),
      [`${ofLicense}/verify-domain`, { domain, withdraw: true }],
      ...['acknowledge', 'unacknowledge'].flatMap((verb) =>
        [planted, `<b>${planted}\u202e\n`].map((subject): [string, object] => [
          `/alerts/${verb}`,
          { license_id: license.license_id, domain, subject },
        ]),
      ),
      ...['withdraw', 'restore'].map((verb): [string, object] => [
        `/feed/${verb}`,
        { fingerprint, reason: 'x' },
      ]),
      ['/payments/retry', { kind: 'subscription', subject_id: planted }],
      [`/notifications/${planted}/pause`, {}],
    ];
    for (const [path, body] of acts) {
      const { status, text } = await admin(path, { body });
      expect([path, status === 400 || status === 409]).toEqual([path, true]);
      expect([path, text]).toEqual([path, expect.not.stringContaining('zq7')]);
    }
    expect(everythingKept(service).filter((kept) => kept.includes('zq7'))).toEqual([]);
  });

  const heartbeat = async (key: string, domain: string) => {
    const body = { site_url: `https://${domain}`, license_key: key };
    return (await call(service.url, `${API}/telemetry`, { key, body })).json.error?.code ?? 'heard';
  };

  test('each act on a license applies from the next request on, and is audited with its reason', async () => {
    const issued = await admin('/licenses', { body: { plan: 'pro', ...CUSTOMER, reason: 'sold' } });
    const { license, key: firstKey } = issued.json.data;
    expect(license).toMatchObject({ status: 'active', plan: 'pro', ...CUSTOMER });
    expect(await verifyAnswer(service, firstKey)).toBe('pro');
    let key = firstKey;
    const other = 'other.example.com';
    const answer = () => verifyAnswer(service, key);
    const steps: [verb: string, body: object, check: () => Promise<unknown>, becomes: unknown][] = [
      ['change', { plan: 'starter', sites: 2 }, answer, 'starter'],
      ['suspend', { hold: 'dispute' }, answer, 'suspended'],
      ['resume', { hold: 'dispute' }, answer, 'starter'],
      ['block', { domain: other }, () => heartbeat(key, `www.${other}`), 'DOMAIN_MISMATCH'],
      ['unblock', { domain: other }, () => heartbeat(key, other), 'heard'],
      ['unbind', { domain: other }, () => domains(), [DOMAIN]],
      ['bind', { domain: other }, () => domains(), [DOMAIN, other]],
      ['verify-domain', { domain: DOMAIN }, () => control(), 'operator'],
      ['rotate', { grace_hours: 1 }, answer, 'starter'],
      [
        'rotate',
        {},
        async () => [await verifyAnswer(service, firstKey), await answer()],
        ['invalid', 'starter'],
      ],
      ['forget', {}, async () => (await shown()).email, null],
      ['revoke', {}, answer, 'invalid'],
    ];
    const at = `/licenses/${license.license_id}`;
    const shown = async () => (await admin(at)).json.data;
    const domains = async () => (await shown()).domains;
    const control = async () => rows(service, 'select method from domain_controls')[0]?.method;
    for (const [number, [verb, body, check, becomes]] of steps.entries()) {
      const reason = `reason ${number} of ${verb}`;
      const { status, headers, json } = await admin(`${at}/${verb}`, { body: { ...body, reason } });
      expect([verb, status, json.data?.replayed]).toEqual([verb, 200, false]);
      key = json.data.key ?? key;
      expect([verb, await check()]).toEqual([verb, becomes]);
      const entry = { actor: 'token:shop', subject: license.license_id, reason };
      const request_id = headers.get('x-request-id');
      expect(auditOf(service, `license.${verb}`).at(-1)).toMatchObject({ ...entry, request_id });
    }
    expect(await shown()).toMatchObject({ status: 'revoked', customer: null, external_id: null, note: null });
    expect(JSON.stringify(auditOf(service, 'license.issue'))).not.toMatch(/Example Ltd|owner@|order-1|VIP/);
  });
});

let service: RunningService;
let admin: Admin;
beforeAll(async () => {
  service = await start('binary', SETTINGS);
  admin = adminOf(service, await tokenOf(service));
});
afterAll(() => service.end());

test('a key is shown once: no log, file or list has eight characters of it except its last four', async () => {
  const issued = (await admin('/licenses', { once: 'a', body: { plan: 'pro' } })).json.data;
  const at = `/licenses/${issued.license.license_id}`;
  const rotated = (await admin(`${at}/rotate`, { once: 'b', body: { grace_hours: 1 } })).json.data;
  const wanted = { licenses: [{ plan: 'pro' }, { plan: 'pro', key: 'FOREIGN-zQ9xW7vU5tS3' }] };
  const imported = (await admin('/licenses/import', { once: 'c', body: wanted })).json.data;
  const keys: string[] = [issued.key, rotated.key, imported.keys[0].key, 'rdt_live_FOREIGN-zQ9xW7vU5tS3'];
  for (const key of keys) {
    const text = key.replace('rdt_live_FOREIGN', 'FOREIGN');
    const found = (await admin('/licenses/find', { body: { text } })).json.data;
    expect([found.licenses.length, found.licenses[0].matched]).toEqual([1, expect.stringContaining('key')]);
    expect((await admin('/licenses/explain', { body: { key: text } })).status).toBe(200);
  }
  const lists = [await admin('/licenses'), await admin('/audit'), await admin(`${at}/explain`)];
  const kept = everythingKept(service);
  expect(kept.length).toBeGreaterThan(2);
  const parts = keys.flatMap((key) =>
    Array.from({ length: key.length - 17 }, (_, from) => key.slice(from + 9, from + 17)),
  );
  for (const text of [...kept, ...lists.map(({ text }) => text)])
    expect(parts.filter((part) => text.includes(part))).toEqual([]);
});

test.each(['localhost', 'shop.test', '127.0.0.1', 'https://10.0.0.1:8443/'])(
  'a development host, %s, is refused with the name of its field, and nothing is stored',
  async (host) => {
    const { license_id } = (await admin('/licenses', { body: { plan: 'pro' } })).json.data.license;
    const stored = () =>
      ['licenses', 'license_domains', 'audit_log'].map((table) => rows(service, `select * from ${table}`));
    const before = stored();
    for (const [path, body, field] of [
      ['/licenses', { plan: 'pro', domains: ['shop.com', host] }, 'domains[1]'],
      [`/licenses/${license_id}/bind`, { domain: host }, 'domain'],
    ] as const) {
      const { status, json } = await admin(path, { body });
      expect([status, json.error]).toMatchObject([
        400,
        { code: 'INVALID_PAYLOAD', message: `${field}: is a development host, which needs no registration` },
      ]);
    }
    expect(stored()).toEqual(before);
  },
);

test('an import names the rows of its body in a refusal, a dry run and a result', async () => {
  const row = { plan: 'pro', domains: ['twice.com'] };
  const twice = {
    licenses: [row, { ...row, key: 'foreign-key-of-two' }, { ...row, key: 'foreign-key-of-two' }],
  };
  const tried = (await admin('/licenses/import', { body: { ...twice, dry_run: true } })).json.data;
  expect(tried.refusals).toEqual([{ row: 3, refused: 'key: repeats row 2' }]);
  const { error } = (await admin('/licenses/import', { body: twice })).json;
  expect(error.message).toBe('Nothing was imported, 1 row is refused: row 3: key: repeats row 2.');
  const done = (await admin('/licenses/import', { body: { licenses: [row, row] } })).json.data;
  expect(done.notices).toEqual(['warning: twice.com is in both row 2 and row 1']);
});

test('lists return each item once, page by page', async () => {
  for (let at = 0; at < 4; at++) await admin('/licenses', { body: { plan: 'free' } });
  for (const [path, list] of [
    ['/licenses?limit=2', 'licenses'],
    ['/audit?limit=2', 'entries'],
  ] as const) {
    const whole = (await admin(path.replace('=2', '=200'))).json.data[list];
    const walked: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data }: { data: Record<string, unknown[]> & { next_cursor: string | null } } = (
        await admin(path + (cursor && `&cursor=${cursor}`))
      ).json;
      walked.push(...(data[list] ?? []));
      cursor = data.next_cursor;
    }
    expect(walked.length).toBeGreaterThan(4);
    expect(walked).toEqual(whole);
  }
});
