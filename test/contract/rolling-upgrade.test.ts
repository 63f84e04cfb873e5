import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFile } from 'node:child_process';
import { type Balancer, pathOf, startBalancer } from '../support/balancer.ts';
import { API, call } from '../support/client.ts';
import { buildNewerVersion } from '../support/newer-version.ts';
import { emptyDatabase } from '../support/nodes.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { PACE_MS } from '../support/senders.ts';
import { type Env, type RunningService, run, start, UNLIMITED, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Runs with the whole matrix: it builds another version and replaces three nodes by it.

const isThere = pathOf('haproxy') !== null;
if (!isThere) console.warn('a rolling upgrade is not tested: haproxy is not installed');

describe.skipIf(!isThere)(
  'three nodes behind HAProxy that are upgraded to a newer version one after the other',
  () => {
    let server: PostgresServer;
    let newer: string;
    let env: Env;
    let services: RunningService[];
    let balancer: Balancer;
    let sending: Promise<unknown>;
    let isOver = false;
    let answered = 0;
    const failed: unknown[] = [];

    beforeAll(async () => {
      newer = await buildNewerVersion('alter table licenses add column further text;');
      server = await startPostgres();
      env = {
        ...UNLIMITED,
        SERVICE_DATABASE_URL: await emptyDatabase(server),
        SERVICE_KEYS_DIR: temporaryDirectory(),
        SERVICE_TRUSTED_PROXIES: '127.0.0.1',
        SERVICE_ADMIN_PORT: 'off',
      };
      await run('binary', env, 'init');
      // Its own process: nodes of two versions are stopped and started.
      services = await Promise.all([start('binary', env), start('binary', env), start('binary', env)]);
      balancer = await startBalancer(
        'haproxy',
        services.map(({ url }) => url),
      );
      const options = ['--plan', 'enterprise', '--domain', 'a.example.com', '--daily-events', '0'];
      const { key } = await (services[0] as RunningService).issue(...options);
      sending = Promise.all([0, 1, 2].map((sender) => send(sender, key)));
    }, 120_000);
    afterAll(async () => {
      isOver = true;
      await sending;
      await balancer?.end();
      await Promise.all(services?.map((service) => service.end()) ?? []);
      await server?.stop('SIGQUIT');
    }, 60_000);

    async function send(sender: number, key: string): Promise<void> {
      const domain = 'a.example.com';
      const kinds = [
        ['/me'],
        ['/license/verify', { domain }],
        ['/telemetry', { domain, events: [{ type: 'login_failed' }] }],
      ];
      for (let index = 0; !isOver; index++) {
        const [path, body] = kinds[(sender + index) % kinds.length] as [string, unknown?];
        const outcome = await fetch(balancer.url + API + path, {
          tls: { rejectUnauthorized: false },
          headers: { authorization: `Bearer ${key}` },
          ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        }).then(async (reply) => [reply.status, await reply.text()], String);
        answered += 1;
        if (outcome[0] !== 200) failed.push([path, outcome]);
        await Bun.sleep(PACE_MS);
      }
    }
    const more = () => {
      const before = answered;
      return until(() => answered > before + 60, 60_000);
    };
    const ofNewer = (...words: string[]) =>
      new Promise<string>((resolve, reject) =>
        execFile(
          newer,
          words,
          { env: { ...env, SERVICE_DATA_DIR: temporaryDirectory() } },
          (error, stdout) =>
            // 3 means that there are pending migrations.
            error && error.code !== 3 ? reject(error) : resolve(stdout),
        ),
      );
    const settingsOf = (place: number): Env => {
      const { env: own, url } = services[place] as RunningService;
      return { ...own, SERVICE_PORT: new URL(url).port };
    };

    test('the first waits for "redoubt migrate" and reports that, while the others serve', async () => {
      expect(JSON.parse(await ofNewer('migrate', '--status', '--json'))).toMatchObject({
        changes: ['further'],
        stop_the_world: false,
      });
      const [first] = services as [RunningService];
      const settings = settingsOf(0);
      await more();
      await first.end();
      const starting = start('binary', settings, { executable: newer });
      const readiness = () => call(first.url, '/readyz').catch(() => undefined);
      await until(
        async () => (await readiness())?.json.problems[0] === 'the database waits for "redoubt migrate"',
        30_000,
      );
      await more();
      await ofNewer('migrate');
      services[0] = await starting;
      expect((await readiness())?.status).toBe(200);
      await more();
    }, 120_000);

    test('an older one continues to serve, but does not start again', async () => {
      for (const { url } of services) expect((await call(url, '/readyz')).status).toBe(200);
      const beside = { ...env, SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_PORT: '0' };
      const { exitCode, stderr } = await run('binary', beside, 'serve');
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringMatching(/^redoubt: .*but this executable supports only .*\. Use the newer redoubt\n$/),
      ]);
    }, 60_000);

    test('no request fails until all are upgraded', async () => {
      for (const place of [1, 2]) {
        const settings = settingsOf(place);
        await services[place]?.end();
        await more();
        services[place] = await start('binary', settings, { executable: newer });
        await more();
      }
      isOver = true;
      await sending;
      expect(answered).toBeGreaterThan(300);
      expect(failed).toEqual([]);
    }, 180_000);
  },
);
