import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, call } from '../support/client.ts';
import { type RunningService, start, TARGETS, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe.each([...TARGETS])('SIGHUP to %s', (target) => {
  let settings: string;
  let service: RunningService;
  const setLimit = (perMinute: number) =>
    writeFileSync(settings, `SERVICE_RATE_IP_PER_MINUTE=${perMinute}\n`);
  beforeEach(async () => {
    settings = join(temporaryDirectory(), 'settings.env');
    setLimit(3);
    service = await start(target, { SERVICE_CONFIG: settings });
  });
  afterEach(() => service.end());

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

  test('keeps what callers have used up of limits that did not change, and takes over those that did', async () => {
    for (const remaining of ['2', '1', '0']) expect(await ask()).toEqual([200, '3', remaining]);
    await reload();
    expect(await ask()).toEqual([429, '3', '0']);
    setLimit(5);
    await reload();
    expect(await ask()).toEqual([200, '5', '4']);
  });

  test('that finds settings which cannot be meant keeps the old ones', async () => {
    writeFileSync(settings, 'SERVICE_RATE_IP_PER_MINUTE=many\n');
    await reload('not reloaded');
    expect(await ask()).toEqual([200, '3', '2']);
  });

  test('does not make the process younger', async () => {
    const uptime = async () => (await call(service.url, `${API}/status`)).json.data.uptime_seconds;
    await until(async () => (await uptime()) >= 1);
    await reload();
    expect(await uptime()).toBeGreaterThanOrEqual(1);
  });
});
