import { beforeAll, expect, test } from 'bun:test';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { exampleDomain, examplesOf } from '../../../src/portal/api-examples.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, sharedService } from '../../support/service.ts';
import { rows } from '../../support/store.ts';
import { tenantOf } from '../../support/tenant.ts';

const PATH = '/portal/api';
let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const commandsOf = (html: string): string[] =>
  [...html.matchAll(/<pre>(.*?)<\/pre>/gs)]
    .map(([, text = '']) => text.replace(/&(\w+|#39);/g, (whole, name) => ENTITIES[name] ?? whole))
    .filter((text) => text.startsWith('curl'));
const shown = async (key: string) => (await (await portalOf(service, key)).get(PATH)).text;

test('every example works unchanged, for a license with the plan', async () => {
  const { key, licenseId, heartbeat } = await tenantOf(service);
  await heartbeat('shop.example.com');
  const html = await shown(key);
  const commands = commandsOf(html);
  expect([commands.length, html.includes(key), html.includes('this is refused')]).toEqual([6, false, false]);
  for (const command of commands) {
    expect(command).toContain(service.url);
    // Its other output comes after the answer.
    const lines = command.replace('curl -sS', "curl -sS -w '%{stderr}%{http_code}'");
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', lines], {
      env: { PATH: process.env.PATH, REDOUBT_KEY: key },
    });
    expect([command, stderr, JSON.parse(stdout).success]).toEqual([
      command,
      expect.stringMatching(/^20[02]$/),
      true,
    ]);
  }
  const reported = 'select domain from sites where license_id = ?';
  expect(rows(service, reported, Number(licenseId.slice('lic_'.length)))).toEqual([
    { domain: 'shop.example.com' },
  ]);
});

test("the examples use the tenant's site, otherwise its domain, otherwise a placeholder", async () => {
  const reporting = await tenantOf(service);
  await reporting.heartbeat('heard.example.com');
  expect(await shown(reporting.key)).toContain('https://heard.example.com');
  const { key } = await service.issue('--plan', 'free', '--domain', 'named.example.com');
  const poor = await shown(key);
  expect(poor).toContain('https://named.example.com');
  expect(poor.match(/this is refused/g)?.length).toBe(4);
  const none = await service.issue('--plan', 'starter');
  expect(await shown(none.key)).toContain('https://example.com');
});

test('an example contains no name with shell syntax', () => {
  for (const name of [
    ...["x.com'; id; '", '$(id).com', '`id`.com', 'x.com\nEND\nid', '-o.com', 'x..com', '', 'X.com', 'ä.de'],
    ...['x.com/', 'x.com"', '$REDOUBT_KEY.com', 'x.com\\', 'a.com b', `${'x'.repeat(254)}`],
  ])
    expect([name, exampleDomain([name])]).toEqual([name, 'example.com']);
  expect(exampleDomain(['$(id)', 'shop.example.com'])).toBe('shop.example.com');
  for (const { command } of examplesOf('https://redoubt.example', 'shop.example.com'))
    expect(command.match(/\$\w+/g)?.every((variable) => variable === '$REDOUBT_KEY')).toBe(true);
});
