import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { ATTACK_TYPES, type AttackType } from '../../src/domain/threat/attack-type.ts';
import { fingerprintOf } from '../../src/domain/threat/fingerprint.ts';
import { HOUR_MS } from '../../src/lib/clock.ts';
import { API, call } from '../support/client.ts';
import { type RunningService, SURE, start, TARGETS, until } from '../support/service.ts';
import { everythingKept, rows, stored } from '../support/store.ts';
import { integrationStates } from '../support/tenant.ts';

const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };
const threat = (payloadHash: string) => ({
  attackType: 'sql_injection',
  behaviorClass: 'automated_scanner',
  payloadHash,
  siteIdHash: 'site-hash',
  licenseIdHash: 'license-hash',
});
describe.each([...TARGETS])('on %s', (target) => {
  let service: RunningService;
  let reader: string;
  /** An arbitrary reporter. */
  let reporter: string;
  beforeAll(async () => {
    // No epoch ends while these tests run; `feed rebuild` makes new ones.
    // Its own process: the feed has to be empty.
    service = await start(target, {
      ...UNLIMITED,
      SERVICE_THREAT_FEED_ENABLED: '1',
      SERVICE_FEED_EPOCH_SECONDS: '86400',
      SERVICE_FEED_MIN_AGE_HOURS: '0',
    });
    [reader, reporter] = (await Promise.all([issue(), issue()])).map(({ key }) => key) as [string, string];
  });
  afterAll(() => service.end());

  const report = (key: string, body: unknown) =>
    call(service.url, `${API}/threat-report/report`, { key, body });
  const feed = (headers: Record<string, string> = {}, method = 'GET') =>
    call(service.url, `${API}/threat-feed`, { key: reader, headers, method });
  const rebuild = () => service.command('feed', 'rebuild');
  const issue = async (...options: string[]) => service.issue('--plan', 'starter', ...options);

  describe('a threat report', () => {
    test('returns only the public fingerprint', async () => {
      const { json } = await report(reporter, threat('abc'));
      const fingerprint = createHash('sha256')
        .update('redoubt-fp-v1\nsql_injection\nautomated_scanner\nabc')
        .digest('base64url');
      expect(json).toEqual({ success: true, data: { fingerprintKey: fingerprint } });
    });

    test.each([
      'xss',
      'cve-2024-1234567',
      'ghsa-jfh8-c2jp-5v3q',
      'mitre_t1110_003',
      'log4shell',
      'http_request_smuggling_via_http2_downgrade',
      'insecure_deserialization',
    ])('may name an attack %s', async (attackType) => {
      const named = { ...threat('abc'), attackType, behaviorClass: attackType };
      expect((await report(reporter, named)).status).toBe(200);
    });

    const planted = { nested: { deeper: [{ x: 1 }] } };
    test.each([
      ['raw payload', { rawPayload: 'union select' }],
      ['an e-mail address', { email: 'a@b.c' }],
      ['any unknown field', { planted }],
      ['a payload hash with other characters', { payloadHash: 'a b' }],
      ['a payload hash of 129 characters', { payloadHash: 'a'.repeat(129) }],
      ['a site hash that is empty', { siteIdHash: '' }],
      ['a license hash that is a number', { licenseIdHash: 1 }],
      ['an attack type that contains an IP address', { attackType: 'sqli from 10.0.0.1' }],
      ['an attack type that contains a telephone number', { attackType: 'call_p4155552671' }],
      ['an attack type that contains an IP address in a host name', { attackType: 'from-ip-10-0-0-1' }],
      ['an IBAN as an attack type', { attackType: 'nl91abna0417164300x' }],
      ['a one-time secret as a behavior class', { behaviorClass: 'jbswy3dpehpk3pxp' }],
      ['a name of 65 characters', { behaviorClass: 'a_'.repeat(32).concat('a') }],
      ['a name that is slow for a careless pattern', { behaviorClass: 'a1_'.repeat(21).concat('!') }],
      ['no behavior class', { behaviorClass: undefined }],
    ])('with %s is refused and none of it is stored', async (_, change) => {
      const before = stored(service);
      const answer = await report(reporter, { ...threat('abc'), ...change });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'THREATREPORT_INVALID_REPORT']);
      expect(stored(service)).toEqual(before);
    });

    test('with a legacy ip and userAgent leaves no byte of them in the data directory or the log', async () => {
      const sentinels = ['203.0.113.77', 'SentinelBrowser/9.9', 'sentinel-header-value', '198.51.100.42'];
      const answer = await call(service.url, `${API}/threat-report/report?q=${sentinels[2]}`, {
        key: reporter,
        headers: {
          'user-agent': sentinels[1] as string,
          'x-custom': sentinels[2] as string,
          'x-forwarded-for': sentinels[3] as string,
        },
        body: { ...threat('with-legacy'), ip: sentinels[0], userAgent: sentinels[1] },
      });
      expect(answer.status).toBe(200);
      const kept = everythingKept(service);
      for (const sentinel of sentinels) for (const text of kept) expect(text.includes(sentinel)).toBe(false);
    });
  });

  describe('corroboration', () => {
    test('needs three distinct licenses that are live, paid and active', async () => {
      const counts = async (name: string) => {
        await rebuild();
        const { fingerprintKey } = (await report(reader, threat('probe'))).json.data;
        expect(fingerprintKey).toBeString();
        const fingerprint = createHash('sha256')
          .update(`redoubt-fp-v1\nsql_injection\nautomated_scanner\n${name}`)
          .digest('base64url');
        const entry = (await feed()).json.data.entries.find(
          (each: { fingerprint: string }) => each.fingerprint === fingerprint,
        );
        return entry?.corroboration_count;
      };
      const licenses = await Promise.all([issue(), issue(), issue('--trial'), issue('--test')]);
      for (const { key } of licenses) {
        for (let again = 0; again < 3; again++) await report(key, threat('t1'));
      }
      expect(await counts('t1')).toBeUndefined();

      const third = await issue();
      await report(third.key, threat('t1'));
      expect(await counts('t1')).toBe(3);

      await service.command('license', 'suspend', third.license_id, '--hold', 'operator');
      expect(await counts('t1')).toBeUndefined();
      await service.command('license', 'resume', third.license_id, '--hold', 'operator');
      expect(await counts('t1')).toBe(3);
      await service.command('license', 'revoke', third.license_id, ...SURE);
      expect(await counts('t1')).toBeUndefined();
    }, 20_000);
  });

  describe('corroboration by customers', () => {
    const FRESH = { ...UNLIMITED, SERVICE_THREAT_FEED_ENABLED: '1', SERVICE_FEED_EPOCH_SECONDS: '86400' };
    const reportsTo = async (
      on: RunningService,
      licenses: readonly { key: string }[],
      payloadHash: string,
    ) => {
      for (const { key } of licenses) {
        const path = `${API}/threat-report/report`;
        expect((await call(on.url, path, { key, body: threat(payloadHash) })).status).toBe(200);
      }
    };
    const entriesOf = async (on: RunningService): Promise<{ corroboration_count: number }[]> => {
      await on.command('feed', 'rebuild');
      const { key } = await on.issue('--plan', 'free');
      return (await call(on.url, `${API}/threat-feed`, { key })).json.data.entries;
    };

    test('counts licenses of one customer or one mailbox once, and reveals nothing of them to readers', async () => {
      const own = await start(target, { ...FRESH, SERVICE_FEED_MIN_AGE_HOURS: '0' });
      const issueTo = (...options: string[]) => own.issue('--plan', 'starter', ...options);
      const buyerAndAnother = await Promise.all([
        issueTo('--customer', 'Buyer Ltd'),
        issueTo('--customer', 'BUYER Ltd', '--email', 'owner@buyer-of-many.com'),
        issueTo('--email', 'Owner+shop@buyer-of-many.com'),
        issueTo('--email', 'owner@buyer-of-many.com'),
        issueTo(),
      ]);
      await reportsTo(own, buyerAndAnother, 'bought');
      expect(await entriesOf(own)).toEqual([]);
      await reportsTo(own, [await issueTo('--customer', 'Somebody else')], 'bought');
      expect(await entriesOf(own)).toMatchObject([{ corroboration_count: 3 }]);
      await own.end();
    }, 20_000);

    test('by default counts a license from a day after its first heartbeat on, while it reports', async () => {
      const own = await start(target, FRESH);
      const licenses = await Promise.all([1, 2, 3].map(() => own.issue('--plan', 'pro')));
      await reportsTo(own, licenses, 'young');
      const reportedAt = (ago: { first: number; last: number }) =>
        rows(
          own,
          'update sites set first_seen_at = ?, last_seen_at = ?',
          Date.now() - ago.first * HOUR_MS,
          Date.now() - ago.last * HOUR_MS,
        );
      expect(await entriesOf(own)).toEqual([]);
      for (const { key } of licenses) {
        const body = { site_url: 'https://a-shop.com', license_key: key };
        expect((await call(own.url, `${API}/telemetry`, { key, body })).status).toBe(200);
      }
      expect(await entriesOf(own)).toEqual([]);
      reportedAt({ first: 24, last: 0 });
      expect(await entriesOf(own)).toMatchObject([{ corroboration_count: 3 }]);
      reportedAt({ first: 240, last: 24 });
      expect(await entriesOf(own)).toEqual([]);
      await own.end();
    }, 20_000);

    test('never publishes more entries than the operator allows', async () => {
      const own = await start(target, {
        ...FRESH,
        SERVICE_FEED_MIN_AGE_HOURS: '0',
        SERVICE_FEED_EPOCH_SECONDS: '1',
        SERVICE_FEED_MIN_CORROBORATION: '1',
        SERVICE_FEED_MAX_ENTRIES: '2',
      });
      const [one, two] = [await own.issue('--plan', 'starter'), await own.issue('--plan', 'starter')];
      for (const name of ['a', 'b', 'c', 'd']) await reportsTo(own, [one], name);
      await reportsTo(own, [two], 'a');
      const counts = await until(async () => {
        const { json } = await call(own.url, `${API}/threat-feed`, { key: one.key });
        const all = json.data.entries.map(
          (entry: { corroboration_count: number }) => entry.corroboration_count,
        );
        return all.includes(2) && all;
      });
      expect(counts.sort()).toEqual([1, 2]);
      await own.end();
    });
  });

  describe('the feed', () => {
    test('names attacks by its vocabulary only, and no other reported name is stored', async () => {
      const reported = {
        xss: 'xss',
        'sqli-blind': 'sql_injection',
        john_at_example_dot_com: 'other',
        'acme-corp-is-hacked': 'other',
      };
      const reporters = await Promise.all([issue(), issue(), issue()]);
      for (const { key } of reporters) {
        for (const attackType of Object.keys(reported)) {
          expect((await report(key, { ...threat('named'), attackType })).status).toBe(200);
        }
      }
      await rebuild();
      const { entries } = (await feed()).json.data;
      const published = Object.keys(reported).map((attackType) => {
        const fingerprint = fingerprintOf({ ...threat('named'), attackType });
        return entries.find((entry: { fingerprint: string }) => entry.fingerprint === fingerprint)
          ?.attack_type;
      });
      expect(published).toEqual(Object.values(reported));
      const names = rows(service, 'select distinct attack_type as name from threat_reports');
      for (const { name } of names) expect(ATTACK_TYPES).toContain(name as AttackType);
    });

    test('sends the same content under its own ETag in each coding, and 304 for either', async () => {
      const plain = await feed({ 'accept-encoding': 'identity' });
      const etag = plain.headers.get('etag') as string;
      expect(plain.headers.get('vary')).toBe('Accept-Encoding');
      expect(Number(plain.headers.get('age'))).toBeGreaterThanOrEqual(0);
      const response = await fetch(`${service.url}${API}/threat-feed`, {
        headers: { authorization: `Bearer ${reader}`, 'accept-encoding': 'gzip' },
        decompress: false,
      } as RequestInit);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(response.headers.get('etag')).toBe(etag.replace(/"$/, '-gzip"'));
      expect(gunzipSync(await response.arrayBuffer()).toString()).toBe(plain.text);
      for (const condition of [
        etag,
        `W/${etag}`,
        `"other", ${etag}`,
        response.headers.get('etag') as string,
        '*',
      ]) {
        const unchanged = await feed({ 'if-none-match': condition, 'accept-encoding': 'identity' });
        expect([condition, unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([
          condition,
          304,
          '',
          etag,
        ]);
      }
      expect((await feed({ 'if-none-match': '"other"' })).status).toBe(200);
      expect((await feed({ 'accept-encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull();
      const head = await feed({ 'accept-encoding': 'identity' }, 'HEAD');
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
    });

    test('is sent whole for every condition that does not name its tag', async () => {
      const etag = (await feed()).headers.get('etag') as string;
      const bare = etag.slice(1, -1);
      for (const condition of [
        '',
        '""',
        '"*"',
        bare,
        `'${bare}'`,
        `"${bare}`,
        `"${bare}x"`,
        `"x${bare}"`,
        `"${bare.toUpperCase()}"`,
        `w/${etag}`,
        `W/ ${etag}`,
        `W/W/${etag}`,
        '"other", *',
        'x'.repeat(10_000),
      ]) {
        expect([condition, (await feed({ 'if-none-match': condition })).status]).toEqual([condition, 200]);
      }
      for (const condition of [`,, ${etag} ,`, `W/"other",\t${etag}`, ' * ', `"a,b", W/${etag}`]) {
        expect([condition, (await feed({ 'if-none-match': condition })).status]).toEqual([condition, 304]);
      }
    });

    test('keeps its ETag while the content stays: over an epoch and over a restart', async () => {
      await rebuild();
      const { etag } = Object.fromEntries((await feed()).headers);
      await rebuild();
      expect((await feed()).headers.get('etag')).toBe(etag as string);
      await service.end();
      service = await start(target, { ...service.env });
      expect((await feed()).headers.get('etag')).toBe(etag as string);
    });

    test('is empty, DISABLED and public while it is switched off', async () => {
      for (const setting of [{}, { SERVICE_THREAT_FEED_ENABLED: '0' }]) {
        const other = await start(target, setting as Record<string, string>);
        const { status, json } = await call(other.url, `${API}/threat-feed`);
        expect([status, json]).toEqual([
          200,
          { success: true, data: { status: 'DISABLED', epoch: 0, generated_at: null, entries: [] } },
        ]);
        await other.end();
      }
    });

    test('is an active integration of the license that read it', async () => {
      const { key } = await service.issue('--plan', 'pro');
      const state = async () => (await integrationStates(service.url, key)).threat_feed;
      expect(await state()).toBe('available');
      await call(service.url, `${API}/threat-feed`, { key });
      expect(await state()).toBe('active');
    });

    test('needs a key while it is on', async () => {
      const none = await call(service.url, `${API}/threat-feed`);
      expect([none.status, none.json.error.code]).toEqual([401, 'UNAUTHORIZED']);
      const wrong = await call(service.url, `${API}/threat-feed`, { key: 'wrong' });
      expect([wrong.status, wrong.json.error.code]).toEqual([401, 'INVALID_KEY']);
    });
  });
});
