import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../../src/settings/settings.ts';
import { type Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, run, start } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const PATH = '/console/settings';
const SECRETS = {
  SERVICE_STRIPE_SECRET_KEY: 'sk_test_sentinel',
  SERVICE_STRIPE_WEBHOOK_SECRET: 'whsec_sentinel',
};
const KEY_FILE = join(temporaryDirectory(), 'ai-key');
const FILE = join(temporaryDirectory(), 'redoubt.env');

let service: RunningService;
let operator: Browser;
beforeAll(async () => {
  writeFileSync(KEY_FILE, 'ai-key-sentinel', { mode: 0o600 });
  writeFileSync(FILE, 'SERVICE_RETENTION_DAYS=30\nSERVICE_DAILY_CAP=7');
  // Its own process: its settings are shown and reloaded.
  service = await start('binary', {
    ...SECRETS,
    SERVICE_CONFIG: FILE,
    SERVICE_DAILY_CAP: '400',
    SERVICE_AI_URL: 'http://ann:pa55word@127.0.0.1:1/v1',
    SERVICE_AI_MODEL: '<b onclick=x>model</b>',
    SERVICE_AI_KEY_FILE: KEY_FILE,
  });
  operator = await operatorOf(service, 'olga', 'operator');
});
afterAll(() => service.end());

/** The cells of a setting: value, source, default, when a change applies, meaning. */
const cellsOf = (text: string, env: string) => {
  const [, row = ''] = new RegExp(`<code>${env}</code>(.*?)</tr>`).exec(text) ?? [];
  return [...row.matchAll(/<td[^>]*>(.*?)<[/]td>/g)].map(([, cell]) => cell);
};

test('every setting is shown with its value and source, its default, and when a change applies', async () => {
  const { status, text } = await operator.get(PATH);
  expect(status).toBe(200);
  for (const { env } of Object.values(SETTINGS)) expect([env, cellsOf(text, env).length]).toEqual([env, 4]);
  for (const [env, ...cells] of [
    ['SERVICE_RETENTION_DAYS', '30', 'file', '90', 'after a reload'],
    ['SERVICE_DAILY_CAP', '400', 'environment', '500', 'after a reload'],
    ['SERVICE_DISK_RESERVE_MIB', '16', 'default', '16', 'after a restart'],
    ['SERVICE_STRIPE_SECRET_KEY', 'set', 'environment', 'not set', 'after a reload'],
    ['SERVICE_AI_KEY', 'set', 'environment', 'not set', 'after a reload'],
    ['SERVICE_SIGNING_KEY', 'not set', 'default', 'not set', 'after a reload'],
    ['SERVICE_AI_URL', 'http://********@127.0.0.1:1/v1', 'environment', 'not set', 'after a reload'],
    ['SERVICE_AI_MODEL', '&lt;b onclick=x&gt;model&lt;/b&gt;', 'environment', 'not set', 'after a reload'],
  ] as const)
    expect([env, ...cellsOf(text, env).slice(0, 4)]).toEqual([env, ...cells]);
});

test('no secret, no part of one and no password in an address is shown, nor by the command', async () => {
  const shown = [(await operator.get(PATH)).text, await service.command('config', '--json')];
  for (const text of shown) expect(text).not.toMatch(/sentinel|pa55word|ann:/);
});

test('a viewer sees no settings, nor a link to them', async () => {
  const viewer = await operatorOf(service, 'vera', 'viewer');
  expect((await viewer.get(PATH)).status).toBe(403);
  expect((await viewer.get('/console')).text).not.toContain(PATH);
});

test('unapplied settings are shown: those that need a restart, then the failed reload, escaped', async () => {
  const reload = async (settings: string) => {
    writeFileSync(FILE, settings);
    const { exitCode } = await run('binary', service.env, 'reload');
    return { exitCode, text: (await operator.get(PATH)).text };
  };
  const waiting = await reload('SERVICE_RETENTION_DAYS=31\nSERVICE_DISK_RESERVE_MIB=17');
  expect(waiting.exitCode).toBe(0);
  expect(waiting.text).toMatch(/takes effect after a restart<[/]strong>SERVICE_DISK_RESERVE_MIB</);
  expect(cellsOf(waiting.text, 'SERVICE_DISK_RESERVE_MIB').slice(0, 2)).toEqual(['16', 'default']);
  expect(cellsOf(waiting.text, 'SERVICE_RETENTION_DAYS').slice(0, 2)).toEqual(['31', 'file']);
  const failed = await reload('SERVICE_RETENTION_DAYS=<img>');
  expect(failed.exitCode).toBe(1);
  expect(failed.text).toContain('SERVICE_RETENTION_DAYS &quot;&lt;img&gt;&quot;: must be');
  expect(cellsOf(failed.text, 'SERVICE_RETENTION_DAYS')[0]).toBe('31');
  const corrected = await reload('');
  expect([corrected.exitCode, corrected.text.includes('class="notice')]).toEqual([0, false]);
});
