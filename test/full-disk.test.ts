import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../src/lib/clock.ts';
import { databasePath } from '../src/storage/engine/data-directory.ts';
import { MIGRATIONS } from '../src/storage/engine/migrations.ts';
import { databaseVersion, prepareDatabase } from '../src/storage/engine/sqlite/database.ts';
import { type Admin, adminOf, tokenOf } from './support/admin.ts';
import { API, call } from './support/client.ts';
import { Browser, operatorOf, PASSWORD } from './support/console.ts';
import { feedFile, osvRecord } from './support/feeds.ts';
import { portalOf } from './support/portal.ts';
import { type RunningService, run, SURE, start, until } from './support/service.ts';
import { type SmallDisk, smallDisk } from './support/small-disk.ts';
import { rows, stored } from './support/store.ts';
import { MONTHLY, StripeAccount } from './support/stripe/account.ts';
import { StripeApi } from './support/stripe/handlers.ts';
import { type ServedStripe, serveStripe } from './support/stripe/server.ts';
import { delivery } from './support/stripe/webhook.ts';
import { temporaryDirectory } from './support/temporary.ts';

const MIB = 1024 * 1024;
const probe = smallDisk(MIB);
probe?.unmount();
if (probe === undefined) console.warn('the tests on a full disk are skipped: they need root that may mount');

describe.skipIf(probe === undefined)('on a full disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = smallDisk(32 * MIB) as SmallDisk;
  });
  afterEach(() => disk.unmount());
  const redoubt = (...words: string[]) =>
    run('binary', { SERVICE_DATA_DIR: disk.directory, SERVICE_PORT: '0' }, ...words);

  const FULL = /^redoubt: .*the disk is full.*\. Free some space.*\n$/;

  test.each(['init', 'serve', 'serve --demo'])(
    '"%s" creates nothing and reports why in one line',
    async (words) => {
      disk.fill();
      const directory = words === 'serve --demo' ? join(disk.directory, 'new') : disk.directory;
      const { exitCode, stdout, stderr } = await run(
        'binary',
        { SERVICE_DATA_DIR: directory, SERVICE_PORT: '0' },
        ...words.split(' '),
      );
      expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(FULL)]);
      disk.clear();
      // Its own process: its disk is full.
      const service = await start('binary', { SERVICE_DATA_DIR: directory });
      expect(await service.end()).toBe(0);
    },
  );

  test.each([
    'license list',
    'license issue --plan pro',
    'license suspend lic_1 --hold operator',
    'feed rebuild',
    'migrate',
    'init',
  ])('"%s" succeeds, or changes nothing and reports why in one line', async (words) => {
    await redoubt('init');
    await redoubt('license', 'issue', '--plan', 'free');
    for (const freeBytes of [0, 40_960]) {
      disk.fill(freeBytes);
      const { exitCode, stderr } = await redoubt(...words.split(' '));
      if (exitCode !== 0) expect([exitCode, stderr]).toEqual([1, expect.stringMatching(FULL)]);
      else expect(stderr).toBe('');
      disk.clear();
    }
    expect((await redoubt('license', 'list')).exitCode).toBe(0);
  });

  test('feeds that do not fit are not imported, leave no files, and the current data stays', async () => {
    const feed = (count: number) =>
      feedFile(Array.from({ length: count }, (_, at) => osvRecord({ id: `GHSA-${at}`, aliases: [] })));
    await redoubt('init');
    expect((await redoubt('vulns', 'import', feed(10))).exitCode).toBe(0);
    const left = () => readdirSync(disk.directory).filter((name) => !/-(wal|shm)$/.test(name));
    const before = left();
    for (const freeBytes of [0, 40_960, MIB]) {
      disk.fill(freeBytes);
      const { exitCode, stdout, stderr } = await redoubt('vulns', 'import', feed(3_000));
      expect([freeBytes, exitCode, stdout, stderr]).toEqual([freeBytes, 1, '', expect.stringMatching(FULL)]);
      disk.clear();
      expect(left()).toEqual(before);
    }
    expect((await redoubt('vulns', 'lookup', 'npm', 'left-pad', '1.3.0')).stdout).toContain('GHSA-9');
    expect((await redoubt('vulns', 'import', feed(3_000))).exitCode).toBe(0);
  });

  test('nothing is migrated, and the required space is reported', async () => {
    const path = databasePath(disk.directory);
    prepareDatabase(path);
    disk.fill(4 * MIB);
    const before = readdirSync(disk.directory);
    const env = { SERVICE_DATA_DIR: disk.directory, SERVICE_PORT: '0' };
    const { exitCode, stderr } = await run('next', env, 'serve');
    expect([exitCode, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toMatch(/was not migrated.*: the disk of .* requires \d\d MB of free space, but has 4 MB/);
    expect(databaseVersion(path)).toBe(MIGRATIONS.length);
    expect(readdirSync(disk.directory).filter((name) => !name.startsWith('redoubt.lock'))).toEqual(before);
    disk.clear();
    // The leftovers of a killed migration are removed.
    writeFileSync(`${path}.before-v${MIGRATIONS.length + 1}.partial`, Buffer.alloc(20 * MIB));
    const service = await start('next', env);
    expect(await service.end()).toBe(0);
  });

  describe('of a running service', () => {
    const DAYS_KEPT_AT_FIRST = '3650';
    const RESERVE_MIB = 2;
    let service: RunningService;
    let key: string;
    let licenseId: string;
    let config: string;
    let account: StripeAccount;
    let stripeApi: StripeApi;
    let stripe: ServedStripe;
    const keepFor = (days: string) => writeFileSync(config, `SERVICE_RETENTION_DAYS=${days}\n`);
    beforeEach(async () => {
      config = join(temporaryDirectory(), 'redoubt.env');
      keepFor(DAYS_KEPT_AT_FIRST);
      account = new StripeAccount();
      stripeApi = new StripeApi(account);
      stripe = await serveStripe(stripeApi);
      service = await start('binary', {
        SERVICE_DATA_DIR: disk.directory,
        SERVICE_DISK_RESERVE_MIB: String(RESERVE_MIB),
        SERVICE_CONFIG: config,
        SERVICE_TENANT_NOTIFICATIONS: '1',
        ...stripe.settings,
      });
      const reserve = join(disk.directory, 'redoubt.reserve');
      await until(() => statSync(reserve, { throwIfNoEntry: false })?.size === RESERVE_MIB * MIB);
      ({ key, license_id: licenseId } = await service.issue('--plan', 'pro', '--domain', 'shop.com'));
    });
    afterEach(async () => {
      await service.end();
      stripe.close();
    });

    const send = (more: object = {}) =>
      call(service.url, `${API}/telemetry`, {
        key,
        body: { domain: 'shop.com', events: [{ type: 'x', ...more }] },
      });
    const ready = () => call(service.url, '/readyz');
    const verify = () =>
      call(service.url, `${API}/license/verify`, { body: { api_key: key, domain: 'shop.com' } });
    /** Fills the disk completely, as another program would. */
    const fillUp = async () => {
      disk.fill();
      await until(async () => (await ready()).status === 503);
    };

    test('writes of tenants are refused, reads continue, and the service recovers without help', async () => {
      expect((await send()).status).toBe(200);
      const before = stored(service);
      await fillUp();
      const { status, headers, json } = await send();
      expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'STORE_UNAVAILABLE', '60']);
      expect(stored(service)).toEqual(before);
      expect((await ready()).json.problems).toContain('disk space is low: changes are refused');
      expect((await verify()).json.valid).toBe(true);
      expect((await call(service.url, `${API}/events`, { key })).json.data.events).toHaveLength(1);

      disk.clear();
      await until(async () => (await ready()).status === 200);
      expect((await send()).status).toBe(200);
    });

    test('a license is suspended and revoked, from the next request on', async () => {
      await fillUp();
      await service.command('license', 'suspend', licenseId, '--hold', 'operator');
      expect((await verify()).json).toMatchObject({ valid: false, reason: 'suspended' });
      // Tenants cannot use the released reserve.
      expect((await send()).status).toBe(503);
      await service.command('license', 'revoke', licenseId, ...SURE);
      expect((await call(service.url, `${API}/me`, { key })).status).toBe(401);
    });

    test("a tenant ends a site's public trust state, and nothing else of it changes", async () => {
      writeFileSync(config, 'SERVICE_BASE_URL=https://redoubt.example\n');
      await service.command('reload');
      await service.command('license', 'verify-domain', licenseId, '--domain', 'shop.com');
      await send();
      const [site] = (await call(service.url, `${API}/sites`, { key })).json.data.sites;
      const trust = (body: object) => call(service.url, `${API}/sites/${site.id}/trust`, { key, body });
      const { trust_id: id } = (await trust({ enabled: true })).json.data;
      const shown = async () => (await call(service.url, `${API}/trust/${id}`)).status;
      expect(await shown()).toBe(200);
      await fillUp();
      expect((await trust({ enabled: true, rotate: true })).status).toBe(503);
      expect((await trust({ enabled: false })).json.data.enabled).toBe(false);
      expect(await shown()).toBe(404);
      for (const body of [{ enabled: false, rotate: true }, { enabled: true }])
        expect([(await trust(body)).status, rows(service, 'select enabled from trust_sites')]).toEqual([
          503,
          [{ enabled: 0 }],
        ]);
    });

    test('the payment processor ends access by a refund, a dispute and a cancellation', async () => {
      const buy = async () => {
        const { json } = await call(service.url, `${API}/checkout`, { body: { items: ['pro'] } });
        return stripeApi.pay(String(json.checkout_url).split('/').at(-1) ?? '');
      };
      let delivered = 0;
      const hear = async () => {
        for (const event of account.events.slice(delivered)) {
          const { body, signature } = delivery(event);
          const headers = { 'stripe-signature': signature };
          expect((await call(service.url, '/webhooks/stripe', { body, headers })).status).toBe(200);
        }
        delivered = account.events.length;
        const waiting = 'select count(*) as n from payment_events where processed_at is null';
        await until(() => rows(service, waiting)[0]?.n === 0);
      };
      const [refunded, disputed, cancelled] = [await buy(), await buy(), await buy()];
      await hear();
      await fillUp();
      const [invoice] = account.invoicesOf(refunded.id);
      if (invoice) account.refund(invoice, MONTHLY);
      account.dispute(disputed.customer);
      account.move(cancelled, 'canceled');
      await hear();
      const held =
        'select payment_holds, expires_at < ? as over from licenses where subscription_id is not null';
      expect(rows(service, `${held} order by id`, Date.now() + 1_000)).toEqual([
        { payment_holds: '["payment"]', over: 0 },
        { payment_holds: '["dispute"]', over: 0 },
        { payment_holds: '[]', over: 1 },
      ]);
      expect((await send()).status).toBe(503);
    });

    test('a tenant ends notifications, and neither adds, changes nor tests any', async () => {
      const act = (path: string, body: object) =>
        call(service.url, `${API}/notifications${path}`, { key, body });
      const target = (name: string) => ({
        name,
        address: 'https://hooks.example/x',
        events: ['alert.opened'],
      });
      const [first, second] = [await act('', target('first')), await act('', target('second'))].map(
        ({ json }) => `/${json.data.target.id}`,
      );
      await fillUp();
      const kept = () => rows(service, 'select name, paused_at is null as active from targets order by id');
      const before = kept();
      for (const [path, body] of [
        ['', target('third')],
        ...['rotate', 'test'].map((action) => [first, { action }] as const),
      ] as const) {
        const { status, json } = await act(path ?? '', body);
        expect([status, json.error.code]).toEqual([503, 'STORE_UNAVAILABLE']);
      }
      expect(kept()).toEqual(before);
      expect((await act(first ?? '', { action: 'pause' })).status).toBe(200);
      expect((await act(first ?? '', { action: 'resume' })).status).toBe(503);
      expect((await act(second ?? '', { action: 'remove' })).status).toBe(200);
      expect(kept()).toEqual([{ name: 'first', active: 0 }]);
    });

    describe('through every interface', () => {
      let browser: Browser;
      let admin: Admin;
      beforeEach(async () => {
        browser = await operatorOf(service, 'alice');
        admin = adminOf(service, await tokenOf(service));
      });
      const sessions = (table: string) => rows(service, `select count(*) as n from ${table}`)[0]?.n;
      const reason = 'it is misused';

      test('the admin API changes licenses', async () => {
        await fillUp();
        const act = (verb: string, body: object, once?: string) =>
          admin(`/licenses/${licenseId}/${verb}`, { body, ...(once === undefined ? {} : { once }) });
        expect((await act('suspend', { hold: 'operator', reason }, 'once-1')).status).toBe(200);
        expect((await verify()).json).toMatchObject({ valid: false, reason: 'suspended' });
        expect((await act('rotate', {})).status).toBe(200);
        expect((await act('revoke', { reason })).status).toBe(200);
        for (let issued = 0; issued < 20; issued++)
          expect((await admin('/licenses', { body: { plan: 'free' } })).status).toBe(200);
        await service.command('token', 'revoke', 'shop', ...SURE);
        expect((await admin('/status')).status).toBe(401);
        expect((await send()).status).not.toBe(200);
      });

      test('an operator signs in to the console, acts, confirms the password, and signs out', async () => {
        await fillUp();
        const thief = new Browser(service);
        thief.cookie = browser.cookie;
        const other = new Browser(service);
        expect((await other.signIn('alice', 'wrong horse battery')).status).toBe(401);
        expect((await other.signIn('alice')).status).toBe(303);
        const suspend = `/console/licenses/${licenseId}/suspend`;
        expect((await other.post(suspend, { hold: 'operator', reason })).status).toBe(303);
        expect((await verify()).json).toMatchObject({ valid: false, reason: 'suspended' });
        rows(service, 'update operator_sessions set confirmed_at = 1');
        const invited = { name: 'bob', role: 'viewer', reason, password: PASSWORD };
        expect((await other.post('/console/operators/add', invited)).status).toBe(303);
        expect(rows(service, 'select 1 from operator_sessions where confirmed_at > 1')).toHaveLength(1);
        expect((await browser.post('/console/sign-out')).status).toBe(303);
        expect((await thief.get('/console')).status).toBe(303);
        expect(sessions('operator_sessions')).toBe(1);
        await service.command('operator', 'link', 'alice');
        expect((await other.post('/console/operators/disable', { name: 'bob', reason })).status).toBe(303);
        expect(rows(service, 'select 1 from operators where disabled_at is not null')).toHaveLength(1);
      });

      test('a tenant signs out of the portal, and cannot sign in', async () => {
        const portal = await portalOf(service, key);
        await fillUp();
        const thief = new Browser(service, service.url);
        thief.cookie = portal.cookie;
        expect((await new Browser(service, service.url).post('/portal/sign-in', { key })).status).toBe(503);
        expect(sessions('portal_sessions')).toBe(1);
        expect((await portal.post('/portal/sign-out')).status).toBe(303);
        expect([sessions('portal_sessions'), (await thief.get('/portal')).status]).toEqual([0, 303]);
      });
    });

    test('a shorter retention frees space immediately, and tenants are served again', async () => {
      for (let sent = 0; sent < 30; sent++) {
        const events = Array.from({ length: 100 }, () => ({ type: 'x', metadata: { a: 'x'.repeat(2_000) } }));
        await call(service.url, `${API}/telemetry`, { key, body: { domain: 'shop.com', events } });
      }
      const longAgo = Date.now() - 100 * DAY_MS;
      rows(service, `update events set received_at = ${longAgo}`);
      rows(service, `update arrivals set received_at = ${longAgo}`);
      await fillUp();
      const database = databasePath(disk.directory);
      const before = statSync(database).size;
      keepFor('90');
      service.process.kill('SIGHUP');
      await until(async () => (await ready()).status === 200);
      expect(before - statSync(database).size).toBeGreaterThan(5 * MIB);
      expect((await send()).status).toBe(200);
      expect(rows(service, 'select count(*) as count from events')).toEqual([{ count: 1 }]);
    });

    test('the service starts and serves reads', async () => {
      await fillUp();
      await service.end();
      disk.fill();
      service = await start('binary', service.env);
      expect((await verify()).json.valid).toBe(true);
      expect((await send()).status).toBe(503);
      expect((await ready()).status).toBe(503);
    });
  });
});
