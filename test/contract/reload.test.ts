import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { askReload, controlPath } from '../../src/operator/control.ts';
import { expire, tlsSettings } from '../support/certificate.ts';
import { API, call } from '../support/client.ts';
import {
  type Env,
  type RunningService,
  run,
  SEAM_TARGETS,
  start,
  TARGETS,
  until,
} from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Needs many starts of the service.

const envText = (values: Env) =>
  Object.entries(values)
    .map((pair) => `${pair.join('=')}\n`)
    .join('');

describe.each([...SEAM_TARGETS])('SIGHUP to %s', (target) => {
  let settings: string;
  let service: RunningService;
  const setLimit = (perMinute: number) =>
    writeFileSync(settings, `SERVICE_RATE_IP_PER_MINUTE=${perMinute}\n`);
  beforeEach(async () => {
    settings = join(temporaryDirectory(), 'settings.env');
    setLimit(3);
    // Its own process: its settings are reloaded.
    service = await start(target, { SERVICE_CONFIG: settings });
  });
  afterEach(() => service.end());

  const set = (values: Env) => writeFileSync(settings, envText(values));
  const command = () => run('binary', service.env, 'reload');
  const metrics = async () => (await call(service.url, '/metrics')).text;

  const reloads = (outcome: string) => service.log().split(outcome).length - 1;
  const reload = async (outcome = '"message":"reloaded"') => {
    const before = reloads(outcome);
    service.process.kill('SIGHUP');
    await until(() => reloads(outcome) > before);
  };
  const ask = async () => {
    const { status, headers } = await call(service.url, `${API}/threat-feed`);
    return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
  };

  test('keeps the use of unchanged limits, and applies the changed ones', async () => {
    for (const remaining of ['2', '1', '0']) expect(await ask()).toEqual([200, '3', remaining]);
    await reload();
    expect(await ask()).toEqual([429, '3', '0']);
    setLimit(5);
    await reload();
    expect(await ask()).toEqual([200, '5', '4']);
  });

  // The meaning of settings does not depend on the runtime.
  if (!TARGETS.includes(target)) return;

  test.each([
    ['a malformed value', () => ({ SERVICE_FEED_EPOCH_SECONDS: 'many' })],
    ['no catalogue', () => ({ SERVICE_CATALOG_FILE: '/none' })],
    ['no secret', () => ({ SERVICE_STRIPE_SECRET_KEY_FILE: '/none' })],
    ['not a PEM certificate', () => ({ ...tlsSettings(), SERVICE_TLS_CERT: '/none' })],
    [
      "another certificate's key",
      () => ({ ...tlsSettings(), SERVICE_TLS_KEY: tlsSettings().SERVICE_TLS_KEY }),
    ],
  ])('that finds %s reports why as a start does, and changes nothing', async (_, wrong) => {
    set({ SERVICE_RATE_IP_PER_MINUTE: '5', SERVICE_LOG_LEVEL: 'error', ...wrong() });
    const atStart = await run('binary', { ...service.env, SERVICE_DATA_DIR: temporaryDirectory() }, 'serve');
    const reason = /^redoubt: (.*)\n$/.exec(atStart.stderr)?.[1] ?? '';
    expect(await command()).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `redoubt: reload failed, the previous settings remain in effect: ${reason}\n`,
    });
    expect(service.log()).toContain(
      `"level":"error","message":"reload failed; the previous settings remain in effect","reason":${JSON.stringify(reason)}`,
    );
    expect(await ask()).toEqual([200, '3', '2']);
    await until(() => service.log().includes('"route":"/api/v1/threat-feed"'));
    expect((await call(service.url, '/readyz')).json).toEqual({
      status: 'ready',
      problems: [],
      warnings: ['the last reload failed: the previous settings remain in effect'],
    });
    expect(await metrics()).toContain('redoubt_last_reload_successful 0\n');

    setLimit(5);
    expect(await command()).toEqual({ exitCode: 0, stdout: 'reloaded\n', stderr: '' });
    expect(await ask()).toEqual([200, '5', '4']);
    expect((await call(service.url, '/readyz')).json.warnings).toEqual([]);
    expect(await metrics()).toContain('redoubt_last_reload_successful 1\n');
  });

  test('applies another log level, and names what needs a restart each time until there was one', async () => {
    const fixed = { SERVICE_HOST: '127.0.0.2', SERVICE_DISK_RESERVE_MIB: '1', ...tlsSettings() };
    set({ ...fixed, SERVICE_LOG_LEVEL: 'error' });
    const names = Object.keys(fixed).join(', ');
    for (let again = 0; again < 2; again++) {
      expect((await command()).stdout).toBe(`reloaded. A restart is required for ${names}\n`);
    }
    await call(service.url, '/healthz');
    set({ SERVICE_LOG_LEVEL: 'debug' });
    expect((await command()).stdout).toBe('reloaded\n');
    await call(service.url, `${API}/status`);
    await until(() => service.log().includes(`"route":"${API}/status"`));
    expect(service.log()).not.toContain('"route":"/healthz"');
  });

  test('does not reset the uptime', async () => {
    const uptime = async () => (await call(service.url, `${API}/status`)).json.data.uptime_seconds;
    await until(async () => (await uptime()) >= 1);
    await reload();
    expect(await uptime()).toBeGreaterThanOrEqual(1);
  });
});

describe.each([...SEAM_TARGETS])('a reload of %s over TLS', (target) => {
  let settings: string;
  let tls: ReturnType<typeof tlsSettings>;
  let service: RunningService;
  const use = (next: Env) => writeFileSync(settings, envText(next));
  beforeEach(async () => {
    settings = join(temporaryDirectory(), 'settings.env');
    tls = tlsSettings();
    use(tls);
    service = await start(target, { SERVICE_CONFIG: settings });
  });
  afterEach(() => service.end());

  const reload = async () => (await run('binary', service.env, 'reload')).exitCode;
  const served = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ port: Number(new URL(service.url).port), rejectUnauthorized: false }, () => {
        resolve(String(new X509Certificate(socket.getPeerCertificate().raw)));
        socket.destroy();
      });
      socket.on('error', reject);
    });
  const read = (path: string) => fetch(service.url + path, { tls: { rejectUnauthorized: false } });
  const certificateIn = ({ SERVICE_TLS_CERT: path }: typeof tls) => readFileSync(path, 'utf8');

  test('applies a certificate from the same path and from another, and keeps it while the next is unusable', async () => {
    const [first, others] = [certificateIn(tls), tlsSettings()];
    copyFileSync(others.SERVICE_TLS_CERT, tls.SERVICE_TLS_CERT);
    expect([await reload(), await served()]).toEqual([1, first]);
    copyFileSync(others.SERVICE_TLS_KEY, tls.SERVICE_TLS_KEY);
    expect([await reload(), await served()]).toEqual([0, certificateIn(others)]);
    const third = tlsSettings();
    const whole = certificateIn(third);
    writeFileSync(third.SERVICE_TLS_CERT, whole + certificateIn(others).replaceAll('A', '!'));
    use(third);
    expect([await reload(), await served()]).toEqual([1, certificateIn(others)]);
    writeFileSync(third.SERVICE_TLS_CERT, whole);
    expect([await reload(), await served()]).toEqual([0, certificateIn(third)]);
  });

  if (!TARGETS.includes(target)) return;

  test('that finds an expired certificate makes the service not ready, and reports it', async () => {
    const before = await read('/readyz');
    expect(await before.json()).toMatchObject({ problems: [], warnings: [], certificate: { days_left: 0 } });
    expire(tls);
    expect(await reload()).toBe(0);
    const after = await read('/readyz');
    const expires = new Date(new X509Certificate(certificateIn(tls)).validTo);
    const expired = { expires: expires.toISOString(), days_left: -2 };
    const problems = ['the TLS certificate has expired'];
    expect(await after.json()).toMatchObject({ problems, warnings: [], certificate: expired });
    expect(after.status).toBe(503);
    const line = `redoubt_certificate_expiry_timestamp_seconds ${expires.getTime() / 1_000}\n`;
    expect(await (await read('/metrics')).text()).toContain(line);
  });
});

test('only the owner of the data directory can request a reload, and only while there is a server', async () => {
  const before = await start('binary');
  await before.end('SIGKILL');
  const service = await start('binary', before.env);
  const path = controlPath(service.env.SERVICE_DATA_DIR as string);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const odd = connectPlain(path);
  odd.write('{"reload":{"credentials":[]}}\n');
  await once(odd, 'close');
  expect(await askReload(path)).toEqual({ reloaded: true, needRestart: [] });
  await service.end();
  expect(await run('binary', service.env, 'reload')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('no server is using'),
  });
  expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
});
