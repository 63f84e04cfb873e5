import { beforeAll, describe, expect, test } from 'bun:test';
import { API, call, chunked } from '../support/client.ts';
import { type RunningService, sharedService, start } from '../support/service.ts';
import { DECOY_TRIP, RESTORE, SIGNALS, signalAt, THREAT_REPORT, WRITE_ONLY } from '../support/signals.ts';
import { rows, stored } from '../support/store.ts';
import { untilLimited } from '../support/until-limited.ts';

const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };
let service: RunningService;
let key: string;
let license: number;
beforeAll(async () => {
  service = await sharedService();
  const issued = await service.issue('--plan', 'free');
  key = issued.key;
  license = Number(issued.license_id.slice('lic_'.length));
});

const send = (path: string, body: unknown, as = key) => call(service.url, API + path, { key: as, body });
/** Newest last; of a snapshot a site has one at most, and any moment finds it. */
const ORDERS = { signal_history: 'id', signal_snapshots: 'received_at' };
const lastRecord = (table: keyof typeof ORDERS) =>
  JSON.parse(
    String(rows(service, `select record from ${table} order by ${ORDERS[table]} desc limit 1`)[0]?.record),
  );
const rowsOf = (table: string, signal: string) =>
  Number(rows(service, `select count(*) as n from ${table} where signal = ?`, signal)[0]?.n);

describe.each([...WRITE_ONLY])('POST $path', ({ path, capBytes, shape, privacy, body }) => {
  async function expectRefused(sent: unknown, code: string, sentinel?: string): Promise<string> {
    const before = stored(service);
    const { status, json, text } = await send(path, sent);
    expect([status, json.error.code]).toEqual([400, code]);
    expect(stored(service)).toEqual(before);
    if (sentinel) for (const output of [text, service.log()]) expect(output).not.toContain(sentinel);
    return json.error.message;
  }

  test('accepts a body of exactly its limit and refuses one byte more, chunked or not', async () => {
    const sized = (bytes: number) => JSON.stringify(body).padEnd(bytes, ' ');
    for (const make of [sized, (bytes: number) => chunked(sized(bytes))]) {
      expect((await send(path, make(capBytes))).status).toBe(200);
      const over = await send(path, make(capBytes + 1));
      expect([over.status, over.json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    }
  });

  test('refuses malformed input without repeating it', async () => {
    for (const sent of [
      '',
      '{',
      '[]',
      'null',
      '7',
      '"sentinel-1a2b"',
      `${'['.repeat(40)}${']'.repeat(40)}`,
    ]) {
      await expectRefused(sent, shape, 'sentinel-1a2b');
    }
  });

  test('refuses a field outside its vocabulary', async () => {
    await expectRefused({ ...body, colour: 3 }, shape);
    await expectRefused({ ...body, toString: 3 }, shape);
  });

  test.each([
    ['an e-mail address', 'ann.sentinel@customer-site.com'],
    ['an IPv4 address', '203.0.113.77'],
    ['an IPv6 address', '2001:db8::dead:beef:77'],
    ['a path', '/home/sentinel/wp-config.php'],
    ['a token of a provider', `ghp_${'A1b2C3d4E5'.repeat(4).slice(0, 36)}`],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzZW50aW5lbCJ9.c2lnbmF0dXJlc2lnbmF0dXJl'],
    ['a card number', '4111 1111 1111 1111'],
    ['an e-mail address in base64', Buffer.from('ann.sentinel@customer-site.com').toString('base64')],
  ])('refuses %s in a value, at any depth, and names the place but never the value', async (_, value) => {
    const message = await expectRefused({ ...body, list: value }, privacy, value);
    expect(message).toStartWith('list: ');
    expect(await expectRefused({ ...body, list: [{ new: { old: value } }] }, privacy, value)).toStartWith(
      'list[0].new.old: ',
    );
    expect(await expectRefused({ ...body, janedoe: { b: value } }, privacy, value)).toStartWith(
      `<key ${Object.keys(body).length}>.<key 0>: `,
    );
  });

  test.each(['userEmail', 'password', 'access_token', 'ipAddress', 'rawLog', 'cookies', 'pass\u200bword'])(
    'refuses the key %s with any value',
    async (name) => {
      await expectRefused({ ...body, [name]: 'x' }, privacy);
      await expectRefused({ ...body, deeper: { [name]: null } }, privacy);
    },
  );
});

describe.each([...SIGNALS, RESTORE, DECOY_TRIP])('POST $path', ({ path, shape, body }) => {
  test('accepts only the literal false for each privacy flag', async () => {
    for (const name of ['piiIncluded', 'contentIncluded', 'secretsIncluded']) {
      for (const value of [true, 0, 'false', null, undefined]) {
        const { status, json } = await send(path, { ...body, [name]: value });
        expect([name, value, status, json.error?.code]).toEqual([name, value, 400, shape]);
      }
    }
  });
});

describe('a posture signal', () => {
  const ack = (persistence: string) => ({ accepted: true, persistence, receivedAt: expect.any(String) });
  const POSTURE: readonly (readonly [string, string, object])[] = [
    ['/digital-immunity/signal', 'siteIdHash', ack('stored')],
    ['/saas/signal', 'licenseIdHash', { ...ack('stored'), binding: 'verified' }],
    ['/server-guard/signal', 'licenseIdHash', ack('stored')],
    ['/pc-guard/signal', 'licenseIdHash', ack('stored')],
    ['/cloud-immunity/signal', 'appIdHash', ack('replaced')],
  ];

  test.each(POSTURE)(
    '%s is acknowledged and stored with the identity of its key',
    async (path, identity, expected) => {
      const { body } = signalAt(path);
      const { json } = await send(path, body);
      expect(json).toEqual({ success: true, data: expected });
      const [row] = rows(
        service,
        `select record from signal_history where signal = ? and license_id = ? union all
       select record from signal_snapshots where signal = ? and license_id = ? order by 1 desc limit 1`,
        ...[path, license, path, license],
      );
      const record = JSON.parse(String(row?.record));
      expect(record).toMatchObject(body);
      expect(record[identity]).toMatch(/^[A-Za-z0-9_-]{43}$/);
    },
  );

  test.each(POSTURE.filter(([path]) => path !== '/saas/signal'))(
    '%s has another %s in its body replaced',
    async (path, identity) => {
      const { body } = signalAt(path);
      const other = await service.issue('--plan', 'free');
      expect((await send(path, { ...body, [identity]: 'somebody-else' }, other.key)).status).toBe(200);
      const kept = ['signal_history', 'signal_snapshots'].map((table) =>
        rows(service, `select record from ${table}`).map(({ record }) => String(record)),
      );
      expect(kept.flat().join()).not.toContain('somebody-else');
    },
  );

  test('is stored next to earlier ones, but cloud immunity replaces its earlier one', async () => {
    const { key: mine } = await service.issue('--plan', 'free');
    const count = (path: string) => rowsOf('signal_history', path) + rowsOf('signal_snapshots', path);
    for (const [path, more] of [
      ['/digital-immunity/signal', 2],
      ['/cloud-immunity/signal', 1],
    ] as const) {
      const { body } = signalAt(path);
      const before = count(path);
      await send(path, body, mine);
      await send(path, body, mine);
      expect([path, count(path) - before]).toEqual([path, more]);
    }
  });

  test('without any measurement is accepted; a value outside its range is refused', async () => {
    const flags = { piiIncluded: false, contentIncluded: false, secretsIncluded: false };
    expect((await send('/pc-guard/signal', flags)).status).toBe(200);
    for (const wrong of [
      { deviceCount: -1 },
      { deviceCount: 1.5 },
      { deviceCount: 1_000_001 },
      { encryptedVolumeRatio: 1.01 },
      { edrStatus: 'perfect' },
      { diskEncryptionEnabled: 'yes' },
      { agentVersion: 'a b' },
      { agentVersion: '1.0-john' },
      { agentVersion: '1.0+john1985' },
      { agentVersion: '1.0+001a2b3c4d5e' },
      { collectedAt: 'yesterday' },
      { collectedAt: 'Fri Nov 20 2026 08:30:00 GMT+0100 (John Smith)' },
      { collectedAt: '2026-11-20T08:30:00.0491512345678Z' },
    ]) {
      const { status, json } = await send('/pc-guard/signal', { ...flags, ...wrong });
      expect([wrong, status, json.error?.code]).toEqual([wrong, 400, 'PC_GUARD_INVALID_SIGNAL']);
    }
  });
});

describe('the stored form of a measurement', () => {
  const { path, body } = signalAt('/digital-immunity/signal');
  const keptOf = async (measured: object) => {
    expect((await send(path, { ...body, ...measured })).status).toBe(200);
    return lastRecord('signal_history');
  };

  test('has four decimals of a ratio: the others could contain a card number', async () => {
    expect((await keptOf({ mfaCoverageRatio: 0.4111111111111111 })).mfaCoverageRatio).toBe(0.4111);
    expect((await keptOf({ mfaCoverageRatio: 2 / 3 })).mfaCoverageRatio).toBe(0.6667);
    expect((await keptOf({ mfaCoverageRatio: 1 })).mfaCoverageRatio).toBe(1);
  });

  test.each([
    ['2026-11-20T08:30:00Z', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T08:30:00.415555267+02:00', '2026-11-20T06:30:00.415Z'],
    ['2026-11-20T08:30:00.123456-11:30', '2026-11-20T20:00:00.123Z'],
  ])('is the moment %s as %s', async (collectedAt, kept) => {
    expect((await keptOf({ collectedAt })).collectedAt).toBe(kept);
  });

  test.each([
    '2',
    'v1.4',
    '12.4.1',
    '7.18.17106',
    '2026.11.3',
    '2.0.0-rc1',
    '2.0.0-beta.2',
    '6.8-RC2',
    '1.2.3-dev+5114f85',
  ])('is the version %s', async (agentVersion) => {
    expect((await keptOf({ agentVersion })).agentVersion).toBe(agentVersion);
  });
});

describe('the binding of a SaaS connector', () => {
  const { body } = signalAt('/saas/signal');
  const sendAs = (licenseIdHash: unknown) => send('/saas/signal', { ...body, licenseIdHash });

  test('is valid for the hash that /me returns, and for no other', async () => {
    const mine = (await call(service.url, `${API}/me`, { key })).json.data.license_id_hash;
    expect((await sendAs(mine)).json.data.binding).toBe('verified');
    expect((await sendAs(undefined)).json.data.binding).toBe('verified');
  });

  test("fails for another license's hash and for a malformed one, and stores nothing", async () => {
    const other = await service.issue('--plan', 'free');
    const theirs = (await call(service.url, `${API}/me`, { key: other.key })).json.data.license_id_hash;
    const before = stored(service);
    const mismatch = await sendAs(theirs);
    expect([mismatch.status, mismatch.json.error.code]).toEqual([400, 'SAAS_BINDING_MISMATCH']);
    for (const none of ['', 'a b', 7, null, 'x'.repeat(129)]) {
      const invalid = await sendAs(none);
      expect([none, invalid.status, invalid.json.error.code]).toEqual([none, 400, 'SAAS_BINDING_INVALID']);
    }
    expect(stored(service)).toEqual(before);
  });
});

describe('key hygiene', () => {
  const path = '/keyhygiene/signal';
  const { body } = signalAt(path);

  test('returns a score that its factors add up to, and recommendations by gain', async () => {
    const { data } = (await send(path, body)).json;
    const points = data.factors.map((factor: { points: number }) => factor.points);
    expect(points.reduce((sum: number, each: number) => sum + each, 0)).toBe(data.hygieneRiskScore);
    const gains = data.recommendations.map((each: { scoreReduction: number }) => each.scoreReduction);
    expect(gains).toEqual(gains.toSorted((a: number, b: number) => b - a));
    expect(data.persistence).toBe('replaced');
    expect((await send(path, { ...body, keys: [] })).json.data).toMatchObject({
      hygieneRiskScore: 0,
      band: 'low',
    });
  });

  test('stores one assessment for each site, and nothing of the inventory', async () => {
    const { key: mine, license_id } = await service.issue('--plan', 'free');
    for (const siteIdHash of [undefined, 'site-a', 'site-b', 'site-a']) {
      expect((await send(path, { ...body, siteIdHash, licenseIdHash: 'not-mine' }, mine)).status).toBe(200);
    }
    const kept = rows(
      service,
      'select site, record from signal_snapshots where license_id = ? order by site',
      Number(license_id.replace(/\D/g, '')),
    );
    expect(kept.map(({ site }) => site)).toEqual([
      '',
      expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    ]);
    expect(Object.keys(JSON.parse(String(kept[0]?.record)))).toEqual([
      'licenseIdHash',
      'hygieneRiskScore',
      'band',
      'factors',
    ]);
    expect(JSON.stringify(kept)).not.toContain('not-mine');
  });

  test('refuses a key without an attribute, one attribute too many, and 65 entries', async () => {
    const [entry] = body.keys as Record<string, unknown>[];
    for (const keys of [
      [{ ...entry, kind: undefined }],
      [{ ...entry, colour: 'blue' }],
      [{ ...entry, count: 0 }],
      Array.from({ length: 65 }, () => ({})),
      {},
    ]) {
      const { status, json } = await send(path, { ...body, keys });
      expect([status, json.error.code]).toEqual([400, 'INVALID_KEYHYGIENE_SIGNAL']);
    }
  });
});

describe('a restore assessment', () => {
  test('never claims to have restored, and subtracts exactly its factors from 100', async () => {
    const { data } = (await send(RESTORE.path, RESTORE.body)).json;
    expect(data).toMatchObject({ verdict: 'safe', restoreExecuted: false, persistence: 'replaced' });
    const infected = { core: { clean: 1, suspicious: 0, infected: 9 } };
    const worse = (await send(RESTORE.path, { ...RESTORE.body, fileCounts: infected })).json.data;
    const deducted = worse.factors.reduce((sum: number, { points }: { points: number }) => sum + points, 0);
    expect(100 - deducted).toBe(worse.restoreSafetyScore);
    expect(worse.restoreSafetyScore).toBeLessThan(data.restoreSafetyScore);
    expect(worse.restorePlan.map(({ step }: { step: number }) => step)).toEqual(
      worse.restorePlan.map((_: unknown, index: number) => index + 1),
    );
  });

  test('is stored once for each site of a license', async () => {
    const { key: mine } = await service.issue('--plan', 'free');
    const before = rowsOf('signal_snapshots', RESTORE.path);
    for (const siteIdHash of ['site-a', 'site-b', 'site-a']) {
      await send(RESTORE.path, { ...RESTORE.body, siteIdHash }, mine);
    }
    expect(rowsOf('signal_snapshots', RESTORE.path) - before).toBe(2);
    expect(lastRecord('signal_snapshots')).not.toHaveProperty('fileCounts');
  });

  const counts = { clean: 1, suspicious: 0, infected: 0 };
  test.each<[string, object]>([
    ['a file name in place of a class', { fileCounts: { 'wp-config-zq7mark.php': counts } }],
    ['code in place of a class', { fileCounts: { '<?php $zq7mark': counts } }],
    ['PHP', { integrityCheck: '<?php echo $zq7mark;' }],
    ['SQL', { knownInfectedOverlap: 'DROP TABLE zq7mark' }],
    ['several lines', { backupAgeBucket: 'zq7mark\nzq7mark' }],
    [
      'SQL next to an unknown field and a wrong value',
      { integrityCheck: 7, other: ['select zq7mark from x'] },
    ],
    ['content as a hash', { siteIdHash: 'zq7mark && id' }],
  ])('refuses %s as content, and stores and repeats none of it', async (_what, change) => {
    const before = stored(service);
    const { status, json, text } = await send(RESTORE.path, { ...RESTORE.body, ...change });
    expect([status, json.error.code]).toEqual([400, 'RESTORE_CONTENT_REJECTED']);
    for (const said of [text, service.log()]) expect(said).not.toContain('zq7mark');
    expect(stored(service)).toEqual(before);
  });

  test('treats a word outside the vocabulary as a mistake, not as content', async () => {
    for (const change of [
      { integrityCheck: 'checked' },
      { backupAgeBucket: '>30d' },
      { siteIdHash: 'a b' },
    ]) {
      const { status, json } = await send(RESTORE.path, { ...RESTORE.body, ...change });
      expect([status, json.error.code]).toEqual([400, 'INVALID_RESTORE_SIGNAL']);
    }
  });

  test('has its own daily volume and 60 requests per address and minute', async () => {
    // Its own process: it is killed, and limits are tested.
    const capped = await start('binary', { ...UNLIMITED, SERVICE_DAILY_CAP: '2' });
    const { key: mine } = await capped.issue('--plan', 'free');
    const ask = (path: string, body: unknown) => call(capped.url, API + path, { key: mine, body });
    for (const { path, body } of [RESTORE, THREAT_REPORT]) {
      expect([(await ask(path, body)).status, (await ask(path, body)).status]).toEqual([200, 200]);
      const third = await ask(path, body);
      expect([third.status, third.json.error.code]).toEqual([429, 'DAILY_CAP_EXCEEDED']);
      expect(third.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    await capped.end('SIGKILL');
    const again = await start('binary', { ...capped.env });
    expect((await call(again.url, API + RESTORE.path, { key: mine, body: RESTORE.body })).status).toBe(429);
    await again.end();

    const limited = await start('binary');
    const { answered } = await untilLimited(60, () => call(limited.url, API + RESTORE.path, { body: {} }));
    expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([401]));
    await limited.end();
  });
});

describe('a decoy trip', () => {
  test('returns a receipt without identities', async () => {
    const { data } = (await send(DECOY_TRIP.path, DECOY_TRIP.body)).json;
    expect(data).toEqual({
      fingerprintKey: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      confidence: 0.99,
      receivedAt: expect.any(String),
    });
  });

  test('counts as its license’s report and never bypasses the threshold', async () => {
    const fed = await start('binary', {
      ...UNLIMITED,
      SERVICE_THREAT_FEED_ENABLED: '1',
      SERVICE_FEED_EPOCH_SECONDS: '86400',
      SERVICE_FEED_MIN_AGE_HOURS: '0',
    });
    const trip = (as: string) => call(fed.url, API + DECOY_TRIP.path, { key: as, body: DECOY_TRIP.body });
    const entries = async (as: string) => {
      await fed.command('feed', 'rebuild');
      return (await call(fed.url, `${API}/threat-feed`, { key: as })).json.data.entries;
    };
    const [one, two, three] = [
      await fed.issue('--plan', 'free'),
      await fed.issue('--plan', 'free'),
      await fed.issue('--plan', 'free'),
    ];
    for (let again = 0; again < 5; again++) await trip(one.key);
    await trip(two.key);
    expect(await entries(one.key)).toEqual([]);
    const { fingerprintKey } = (await trip(three.key)).json.data;
    expect(await entries(one.key)).toEqual([
      {
        fingerprint: fingerprintKey,
        attack_type: 'decoy_ssh_key',
        severity: 'critical',
        corroboration_count: 3,
      },
    ]);
    await fed.end();
  });

  test('has legacy ip and userAgent discarded, with any values', async () => {
    for (const ip of ['203.0.113.9', { deep: ['198.51.100.3'] }, null]) {
      const answer = await send(DECOY_TRIP.path, { ...DECOY_TRIP.body, ip, userAgent: 'Sentinel/1.0' });
      expect(answer.status).toBe(200);
    }
    expect(JSON.stringify(lastRecord('signal_history'))).not.toContain('Sentinel');
  });

  test.each([
    'headers',
    'geolocation',
    'rawPayload',
    'secretValue',
    'exfiltratedData',
    'email',
    'ip_address',
  ])('is refused with %s', async (name) => {
    const { status, json } = await send(DECOY_TRIP.path, { ...DECOY_TRIP.body, [name]: 1 });
    expect([status, json.error.code]).toEqual([400, 'INVALID_CANARY_TRIP']);
  });
});
