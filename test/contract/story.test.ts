import { describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { type RunningService, SEAM_TARGETS, SURE, start, until } from '../support/service.ts';

const report = {
  attackType: 'sql_injection',
  behaviorClass: 'scanner',
  payloadHash: 'p4yl0ad',
  siteIdHash: 's',
  licenseIdHash: 'l',
};

describe.each([...SEAM_TARGETS])('the story, under %s', (target) => {
  test('three licenses make a feed entry, a revoked one is refused at once, and SIGKILL loses nothing', async () => {
    const settings = {
      SERVICE_THREAT_FEED_ENABLED: '1',
      SERVICE_FEED_EPOCH_SECONDS: '1',
      SERVICE_FEED_MIN_AGE_HOURS: '0',
      SERVICE_RATE_KEY_PER_MINUTE: '100000',
      SERVICE_RATE_IP_PER_MINUTE: '100000',
    };
    // Its own process: it is killed, and the feed has to be empty.
    let service: RunningService = await start(target, settings);
    const at = (path: string) => API + path;

    const licenses = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      licenses.push(await service.issue('--plan', 'pro', '--sites', '1', '--domain', `${name}.example.com`));
    }
    const [one, two, three, four] = licenses.map(({ key }) => key) as [string, string, string, string];

    const verify = (api_key: string, domain: string) =>
      call(service.url, at('/license/verify'), { body: { api_key, domain } });
    expect((await verify(one, 'one.example.com')).json).toMatchObject({
      valid: true,
      plan: 'pro',
      status: 'active',
    });
    expect((await verify(one, 'other.example.com')).json).toMatchObject({ valid: false, plan: 'free' });

    const heartbeat = await call(service.url, at('/telemetry'), {
      key: one,
      body: {
        site_url: 'https://one.example.com',
        license_key: one,
        acme_plugin_version: '2.1.0',
        stats: { blocked: 7 },
      },
    });
    expect(heartbeat.json.data).toMatchObject({
      ack: 'heartbeat',
      events_accepted: 0,
      license_status: 'active',
    });

    const events = Array.from({ length: 100 }, (_, index) => ({
      type: 'attack_blocked',
      event_id: `e${index}`,
    }));
    const sendEvents = () =>
      call(service.url, at('/telemetry'), { key: one, body: { domain: 'one.example.com', events } });
    expect((await sendEvents()).json.data).toMatchObject({
      ack: 'events',
      events_accepted: 100,
      events_duplicate: 0,
    });

    const feed = (headers = {}) => call(service.url, at('/threat-feed'), { key: four, headers });
    const send = (key: string) => call(service.url, at('/threat-report/report'), { key, body: report });
    const { fingerprintKey } = (await send(one)).json.data;
    await send(two);
    await send(two);
    const quiet = await feed();
    expect(quiet.json.data.entries).toEqual([]);

    expect((await send(three)).status).toBe(200);
    const entry = await until(async () => {
      const { json } = await feed();
      return json.data.entries.length > 0 && json.data;
    });
    expect(entry.entries).toEqual([
      { fingerprint: fingerprintKey, attack_type: 'sql_injection', severity: 'high', corroboration_count: 3 },
    ]);
    const served = await feed();
    for (const secret of [...licenses.map(({ license_id }) => license_id), one, 'example.com', 'p4yl0ad']) {
      expect(served.text).not.toContain(secret);
    }
    const etag = served.headers.get('etag') as string;
    const unchanged = await feed({ 'if-none-match': etag });
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);

    await service.command('license', 'revoke', licenses[1]?.license_id as string, ...SURE);
    const revoked = await call(service.url, at('/me'), { key: two });
    expect([revoked.status, revoked.json.error.code]).toEqual([401, 'INVALID_KEY']);
    await service.command('license', 'issue', '--plan', 'free');

    await service.end('SIGKILL');
    service = await start(target, { ...settings, ...service.env });
    expect((await sendEvents()).json.data).toMatchObject({ events_accepted: 0, events_duplicate: 100 });
    expect((await verify(one, 'one.example.com')).json.valid).toBe(true);
    expect((await call(service.url, at('/me'), { key: two })).status).toBe(401);
    expect((await call(service.url, at('/me'), { key: three })).json.data.domain_bound).toBe(true);
    expect(await service.end()).toBe(0);
  }, 60_000);
});
