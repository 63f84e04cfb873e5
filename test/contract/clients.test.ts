import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameHash } from '../../src/domain/vulnerability/ecosystem.ts';
import { API, call } from '../support/client.ts';
import { importDemo } from '../support/mirror.ts';
import { CLIENTS, installPlugin, OF_PHP, OF_TYPESCRIPT, type Plugin } from '../support/plugin.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { rotating } from '../support/suite.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };
/** A new request each time. */
const EAGER = { cache_seconds: 0, invalid_seconds: 0, feed_seconds: 0, retry_seconds: 0 };
const FEED = {
  SERVICE_THREAT_FEED_ENABLED: '1',
  SERVICE_FEED_MIN_CORROBORATION: '1',
  SERVICE_FEED_MIN_AGE_HOURS: '0',
  SERVICE_FEED_EPOCH_SECONDS: '86400',
};

/** The functions of WordPress that the guide uses, except loading. */
const WORDPRESS = `
  function get_bloginfo() { return '6.9'; }
  function get_plugins() {
    return ['example-gallery/example-gallery.php' => ['Version' => '1.2.3'], 'hello.php' => ['Version' => '1.7']];
  }
  function is_plugin_active($file) { return $file !== 'hello.php'; }
  class Theme {
    function __construct(private $version) {}
    function get() { return $this->version; }
  }
  function wp_get_themes() { return ['child' => new Theme('2.0'), 'old' => new Theme(false)]; }
  function get_template() { return 'parent'; }
  function get_stylesheet() { return 'child'; }
`;

type Answering = () => Response | Promise<Response>;
const refusing = (error: string, status: number, headers: Record<string, string> = {}) => {
  return () => Response.json({ valid: false, error }, { status, headers });
};

const textOf = (name: string) => readFileSync(join(CLIENTS, name), 'utf8');

const retryAt = ({ pathOf }: Plugin): number =>
  JSON.parse(readFileSync(pathOf('license.json'), 'utf8')).retry_at;

/** The statuses of a service's earlier answers on a route. */
async function statusesOf({ url, log }: RunningService, route: string): Promise<number[]> {
  const { headers } = await call(url, `${API}/me`);
  await until(() => log().includes(headers.get('x-request-id') ?? ''));
  const requests = log().matchAll(/"route":"([^"]+)","status":(\d+)/g);
  return [...requests].filter(([, path]) => path === API + route).map(([, , status]) => Number(status));
}

const eventsOf = (service: RunningService, license: string) =>
  rows(service, 'select type from events where license_id = ? order by id', Number(license.slice(4)));
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ['record', { type: `attack_${index}_blocked` }] as const);
const typesOf = (count: number) => numbered(count).map(([, event]) => event);

let service: RunningService;
beforeAll(async () => {
  // Its own process: it is stopped and started, and limits are tested.
  service = await start('binary', { ...UNLIMITED, ...FEED });
  await importDemo(service);
});
afterAll(() => service.end());

test('the PHP client has at most 220 lines of at most 130 characters', () => {
  const lines = textOf('redoubt-client.php').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(220);
  expect(lines.filter((line) => line.length > 130)).toEqual([]);
});

test('both clients have the same options, and the guide lists them', () => {
  const optionsOf = (name: string, assigned: RegExp) =>
    [...textOf(name).matchAll(assigned)].map(([, option, value]) => [option, value?.replaceAll('_', '')]);
  const options = optionsOf('redoubt-client.ts', /^ {2}(\w+_(?:seconds|days|max)): ([\d_]+),/gm);
  expect(options).toHaveLength(7);
  expect(optionsOf('redoubt-client.php', /'(\w+_(?:seconds|days|max))' => (\d+)/g)).toEqual(options);
  const guide = textOf('../clients.md');
  for (const [option, value] of options) expect(guide).toContain(`| \`${option}\` | ${value} |`);
});

for (const { runtime, isThere, needs } of [...rotating(OF_PHP, 2), ...rotating(OF_TYPESCRIPT, 3)]) {
  const title = isThere ? `the client on ${runtime}` : `the client on ${runtime} (not run: needs ${needs})`;
  describe.skipIf(!isThere)(title, () => {
    const installed = async (...options: string[]) => {
      const license = await service.issue('--plan', 'pro', '--test', ...options);
      return { ...license, plugin: installPlugin(runtime, service.url, license.key) };
    };

    test('a verdict is fetched once and cached for its owner only, without the key', async () => {
      const { plugin, key } = await installed();
      const asked = (await statusesOf(service, '/license/verify')).length;
      expect(await plugin.run({}, ['verify', false])).toMatchObject({ valid: false, checked_at: 0 });
      const verdict = await plugin.run({}, ['verify'], ['verify'], ['verify', false]);
      expect(verdict).toMatchObject({ valid: true, plan: 'pro', error: null });
      expect(verdict.modules_allowed).toContain('ai_analysis');
      expect((await statusesOf(service, '/license/verify')).slice(asked)).toEqual([200]);
      await plugin.run({}, ['record', { type: 'x' }], ['heartbeat', '1.0', { blocked: 1 }], ['feed']);
      expect(statSync(plugin.directory).mode & 0o777).toBe(0o700);
      for (const file of ['license.json', 'feed.json', 'telemetry.json'].map(plugin.pathOf)) {
        expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8').includes(key)]).toEqual([
          0o600,
          false,
        ]);
      }
    });

    test('an unknown key and a suspended one are verdicts, not outages', async () => {
      const unknown = await installPlugin(runtime, service.url, 'rdt_live_nothing').run({}, ['verify']);
      expect(unknown).toMatchObject({ valid: false, plan: 'free', error: null });
      const { plugin, license_id } = await installed();
      expect((await plugin.run(EAGER, ['verify'])).valid).toBe(true);
      await service.command('license', 'suspend', license_id, '--hold', 'payment');
      const suspended = await plugin.run(EAGER, ['verify']);
      expect(suspended).toMatchObject({ valid: false, reason: 'suspended', error: null });
    });

    test('an outage changes no verdict within the grace period, and everything is sent after it', async () => {
      const first = await start('binary', { ...UNLIMITED, ...FEED });
      const { key, license_id } = await first.issue('--plan', 'pro', '--test');
      const plugin = installPlugin(runtime, first.url, key);
      const stranger = installPlugin(runtime, first.url, 'rdt_live_nothing');
      await plugin.run({}, ['verify'], ['feed']);
      await stranger.run({}, ['verify']);
      await first.end();

      const error = 'UNREACHABLE';
      expect(await plugin.run(EAGER, ['verify'])).toMatchObject({ valid: true, plan: 'pro', error });
      const afterGrace = await plugin.run({ ...EAGER, grace_days: 0 }, ['verify']);
      expect(afterGrace).toMatchObject({ valid: false, plan: 'free', modules_allowed: [], error });
      expect(await stranger.run(EAGER, ['verify'])).toMatchObject({ valid: false, error });
      expect(await plugin.run(EAGER, ['feed'])).toMatchObject({ status: 'ENABLED', error });
      const unsent = await plugin.run(EAGER, ...numbered(90), ['heartbeat', '1.0']);
      expect(unsent).toMatchObject({ sent: 0, queued: 90, error });

      const { port } = new URL(first.url);
      const second = await start('binary', { ...UNLIMITED, ...first.env, SERVICE_PORT: port });
      const sent = await plugin.run(EAGER, ['heartbeat', '1.0']);
      expect(sent).toMatchObject({ sent: 90, queued: 0, error: null });
      expect(eventsOf(second, license_id)).toEqual(typesOf(90));
      expect(await statusesOf(second, '/telemetry')).toEqual([200, 200, 200]);
      await second.end();
    }, 30_000);

    test('the client waits for a limit as long as Retry-After requires', async () => {
      const limited = await start('binary', { SERVICE_RATE_IP_PER_MINUTE: '1' });
      const { key } = await limited.issue('--plan', 'pro', '--test');
      const plugin = installPlugin(runtime, limited.url, key);
      const begun = Date.now() / 1000;
      const refused = await plugin.run(EAGER, ['verify'], ['verify'], ['verify']);
      expect(refused).toMatchObject({ valid: true, error: 'RATE_LIMITED' });
      expect(await statusesOf(limited, '/license/verify')).toEqual([200, 429]);
      expect(retryAt(plugin) - begun).toBeWithin(50, 90);
      await limited.end();
    });

    test('the feed is fetched once and then only revalidated', async () => {
      const { plugin } = await installed();
      const { key: reporter } = await service.issue('--plan', 'pro', '--domain', 'reporter.com');
      const hashes = { payloadHash: 'abc', siteIdHash: 'site', licenseIdHash: 'license' };
      const body = { attackType: 'sql_injection', behaviorClass: 'scanner', ...hashes };
      await call(service.url, `${API}/threat-report/report`, { key: reporter, body });
      await service.command('feed', 'rebuild');
      const asked = (await statusesOf(service, '/threat-feed')).length;
      const feed = await plugin.run(EAGER, ['feed']);
      expect(feed.entries).toMatchObject([{ attack_type: 'sql_injection' }]);
      expect(await plugin.run(EAGER, ['feed'])).toMatchObject({ entries: feed.entries, error: null });
      expect((await statusesOf(service, '/threat-feed')).slice(asked)).toEqual([200, 304]);
      await plugin.run({}, ['feed'], ['feed']);
      expect((await statusesOf(service, '/threat-feed')).length).toBe(asked + 2);
    });

    test('events are sent with the next due heartbeat, and a repetition counts once', async () => {
      const { plugin, license_id } = await installed();
      const asked = (await statusesOf(service, '/telemetry')).length;
      const beat = ['heartbeat', '2.4.1', { blocked: 3 }] as const;
      const metadata = { path: '/x\0.php' };
      const long = [
        'record',
        { type: 'attack_blocked', message: `\0${'ä'.repeat(2_000)}`, metadata },
      ] as const;
      await plugin.run({}, long, ...numbered(2));
      const lost = readFileSync(plugin.pathOf('telemetry.json'), 'utf8');
      expect(await plugin.run({}, beat)).toMatchObject({ sent: 3, queued: 0, dropped: 0, error: null });
      const early = await plugin.run({}, ...numbered(1), beat);
      expect(early).toMatchObject({ sent: 0, queued: 1 });
      expect(early.next_in).toBeGreaterThan(200);
      expect(await plugin.run({}, [...beat, true])).toMatchObject({ sent: 1, queued: 0 });
      expect((await statusesOf(service, '/telemetry')).slice(asked)).toEqual([200, 200]);

      // As if the answer had been lost.
      writeFileSync(plugin.pathOf('telemetry.json'), lost);
      expect(await plugin.run({}, beat)).toMatchObject({ sent: 3, queued: 0 });
      expect(eventsOf(service, license_id)).toHaveLength(4);
    });

    test('changed components are reported by hash, and the vulnerable ones are read', async () => {
      const { plugin, key } = await installed();
      const gallery = {
        ecosystem: 'wordpress-plugin',
        name: 'Example-Gallery/example-gallery.php',
        version: '1.2.3',
      };
      const own = {
        ecosystem: 'wordpress-plugin',
        name: 'our-secret.php',
        version: '1.0 (beta)',
        status: 'inactive',
      };
      const tell = ['components', [gallery, own]] as const;
      const unseen = { told: false, checked_at: 0, error: 'SITE_NOT_FOUND' };
      expect(await plugin.run(EAGER, tell)).toMatchObject(unseen);
      const requests = async () =>
        (await statusesOf(service, '/sites/:siteId/components')).length +
        (await statusesOf(service, '/sites/:siteId/vulnerabilities')).length;
      const before = await requests();
      expect(await plugin.run(EAGER, ['heartbeat', '1.0'], tell, tell)).toMatchObject({
        told: true,
        error: null,
      });
      const asked = [['vulnerabilities'], ['vulnerabilities']] as const;
      const found = await plugin.run({}, ...asked);
      expect(found).toMatchObject({ counts: { vulnerable: 1, no_known: 1 }, error: null });
      expect(await requests()).toBe(before + 2);
      expect(found.findings).toMatchObject([{ name: 'example-gallery', fixed_versions: ['1.2.4'] }]);

      const { json } = await call(service.url, `${API}/sites`, { key });
      const site = `/sites/${json.data.sites[0].id}`;
      const kept = async () =>
        (await call(service.url, `${API}${site}/components`, { key })).json.data.components;
      expect(await kept()).toMatchObject([
        {
          name: null,
          name_hash: nameHash('wordpress-plugin', 'example-gallery'),
          version: '1.2.3',
          status: 'active',
        },
        {
          name: null,
          name_hash: nameHash('wordpress-plugin', 'our-secret'),
          version: '1.0-beta-',
          status: 'inactive',
        },
      ]);
      const fixed = [{ ecosystem: 'pypi', name: 'A__Package', version: '' }];
      const after = await plugin.run({}, ['components', fixed], ...asked);
      expect(after).toMatchObject({ findings: [], counts: { vulnerable: 0, no_data: 1 }, error: null });
      expect(await kept()).toMatchObject([{ name_hash: nameHash('pypi', 'a-package'), version: 'unknown' }]);
    });

    test('its site is searched on every page and with www., and again when the service lost it', async () => {
      const asked: string[] = [];
      let known = true;
      const other = Bun.serve({
        port: 0,
        fetch: (request) => {
          const { pathname, search } = new URL(request.url);
          asked.push(`${request.method} ${pathname.slice(API.length)}${search}`);
          if (pathname !== `${API}/sites`)
            return known ? Response.json({ data: { findings: [] } }) : refusing('SITE_NOT_FOUND', 404)();
          const isFirst = !search.includes('cursor');
          const sites = isFirst
            ? [{ id: 'a', url: 'https://a.test' }]
            : [{ id: 'b', url: 'https://www.shop.test' }];
          return Response.json({ data: { sites, next_cursor: isFirst ? 'next' : null } });
        },
      });
      const plugin = installPlugin(runtime, String(other.url), 'key');
      const tell = ['components', []] as const;
      expect(await plugin.run(EAGER, tell, ['vulnerabilities'])).toMatchObject({ error: null });
      const search = ['GET /sites?limit=200', 'GET /sites?limit=200&cursor=next'];
      expect(asked).toEqual([...search, 'POST /sites/b/components', 'GET /sites/b/vulnerabilities']);
      known = false;
      const changed = ['components', [{ ecosystem: 'npm', name: 'a', version: '1' }]] as const;
      expect(await plugin.run(EAGER, changed)).toMatchObject({ told: false, error: 'SITE_NOT_FOUND' });
      known = true;
      asked.length = 0;
      expect(await plugin.run(EAGER, changed)).toMatchObject({ told: true, error: null });
      expect(asked).toEqual([...search, 'POST /sites/b/components']);
      await other.stop(true);
    });

    test('the queue is limited: the oldest events are dropped and counted', async () => {
      const { plugin, license_id } = await installed();
      const sent = await plugin.run({ queue_max: 3 }, ...numbered(8), ['heartbeat', '1.0']);
      expect(sent).toMatchObject({ sent: 3, dropped: 5 });
      expect(eventsOf(service, license_id)).toEqual(typesOf(8).slice(5));
    });

    if (runtime.startsWith('PHP')) {
      test("the guide's code for WordPress reports its core, plugins and themes", async () => {
        const { key } = await service.issue('--plan', 'pro', '--test');
        const plugin = installPlugin(runtime, service.url, key);
        await plugin.run({}, ['heartbeat', '1.0']);
        const wordpress = join(temporaryDirectory(), '/');
        mkdirSync(join(wordpress, 'wp-admin/includes'), { recursive: true });
        writeFileSync(join(wordpress, 'wp-admin/includes/plugin.php'), '');
        const [, shown] = /In WordPress:\n\n```php\n(.*?)```/s.exec(textOf('../clients.md')) ?? [];
        expect(await plugin.runCode(`define('ABSPATH', '${wordpress}'); ${WORDPRESS} ${shown}`)).toStartWith(
          'Check for signs of compromise first',
        );
        const [site] = (await call(service.url, `${API}/sites`, { key })).json.data.sites;
        const { json } = await call(service.url, `${API}/sites/${site.id}/components`, { key });
        expect(json.data.components).toMatchObject([
          { name_hash: nameHash('wordpress-core', 'wordpress'), version: '6.9' },
          { name_hash: nameHash('wordpress-plugin', 'example-gallery'), version: '1.2.3', status: 'active' },
          { name_hash: nameHash('wordpress-plugin', 'hello'), version: '1.7', status: 'inactive' },
          { name_hash: nameHash('wordpress-theme', 'child'), version: '2.0', status: 'active' },
          { name_hash: nameHash('wordpress-theme', 'old'), version: 'unknown', status: 'inactive' },
        ]);
      });

      test('concurrent records lose no event', async () => {
        const { plugin } = await installed();
        await Promise.all(Array.from({ length: 8 }, () => plugin.run({}, ...numbered(10))));
        expect(await plugin.run({}, ['heartbeat', '1.0'])).toMatchObject({ sent: 80, error: null });
      });
    }

    test('only an event that the service never accepts is dropped', async () => {
      const { plugin, license_id } = await installed();
      const bad = ['record', { type: 'Not a type' }] as const;
      const sent = await plugin.run({}, ...numbered(5), bad, ...numbered(5), ['heartbeat', '1.0']);
      expect(sent).toMatchObject({ queued: 0, dropped: 1, error: null });
      expect(eventsOf(service, license_id)).toHaveLength(10);
      const wrong = { stats: 'x'.repeat(1_001) };
      const kept = await plugin.run({}, ...numbered(3), ['heartbeat', '1.0', wrong, true]);
      expect(kept).toMatchObject({ queued: 3, dropped: 1, error: 'INVALID_PAYLOAD' });
    });

    test('heartbeats continue without events when these are over the daily budget', async () => {
      const { plugin } = await installed('--daily-events', '2');
      const sent = await plugin.run({}, ...numbered(3), ['heartbeat', '1.0']);
      expect(sent).toMatchObject({ sent: 0, queued: 3, dropped: 0, error: null });
      expect(sent.next_in).toBeGreaterThan(200);
    });

    test('any other answer is an outage, waits its time, and does not get the key', async () => {
      const { key } = await installed();
      let stolen = 0;
      const thief = Bun.serve({
        port: 0,
        fetch: () => {
          stolen += 1;
          return Response.json({ valid: false });
        },
      });
      const cases: [error: string, pauseSeconds: number, Answering, timeoutSeconds?: number][] = [
        ['HTTP_502', 60, () => new Response('<html>', { status: 502 })],
        ['HTTP_200', 60, () => new Response('<html>Log in to the hotel</html>')],
        ['HTTP_302', 60, () => Response.redirect(String(thief.url))],
        ['INVALID_PAYLOAD', 3_600, refusing('INVALID_PAYLOAD', 400)],
        ['STORE_UNAVAILABLE', 600, refusing('STORE_UNAVAILABLE', 503, { 'retry-after': '600' })],
        ['UNREACHABLE', 60, () => new Response('x'.repeat(17_000_000))],
        ['UNREACHABLE', 60, () => new Promise<Response>(() => {}), 3],
      ];
      const meet = async ([error, pauseSeconds, answering, timeout_seconds = 5]: (typeof cases)[number]) => {
        let answer: Answering = () => Response.json({ valid: true, plan: 'pro', modules_allowed: [] });
        let asked = 0;
        const other = Bun.serve({
          port: 0,
          fetch: () => {
            asked += 1;
            return answer();
          },
        });
        const plugin = installPlugin(runtime, String(other.url), key);
        await plugin.run({}, ['verify']);
        answer = answering;
        asked = 0;
        const begun = Date.now() / 1000;
        const verdict = await plugin.run({ cache_seconds: 0, timeout_seconds }, ['verify'], ['verify']);
        expect([verdict, asked]).toEqual([expect.objectContaining({ valid: true, plan: 'pro', error }), 1]);
        const pause = retryAt(plugin) - begun;
        expect([error, pause > pauseSeconds / 2 - 1, pause < pauseSeconds + 30]).toEqual([error, true, true]);
        await other.stop(true);
      };
      await Promise.all(cases.map(meet));
      expect(stolen).toBe(0);
      await thief.stop(true);
    }, 30_000);

    test('a directory that cannot be written disables only the cache', async () => {
      const { key } = await installed();
      const plugin = installPlugin(runtime, service.url, key, '/dev/null/state');
      const sent = await plugin.run({}, ...numbered(1), ['heartbeat', '1.0']);
      expect(sent).toMatchObject({ sent: 0, error: null });
      expect(await plugin.run({}, ['verify'])).toMatchObject({ valid: true, plan: 'pro', error: null });
    });
  });
}
