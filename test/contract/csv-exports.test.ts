import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { DEMO_COMPONENTS } from '../../src/cli/demo-vulnerabilities.ts';
import { program } from '../../src/cli/program.ts';
import { consoleRoutes } from '../support/admin.ts';
import { API, call } from '../support/client.ts';
import { operatorOf } from '../support/console.ts';
import { importDemo } from '../support/mirror.ts';
import { portalOf, portalRoutes } from '../support/portal.ts';
import { type RunningService, start } from '../support/service.ts';
import { formulasIn, spreadsheetRows } from '../support/spreadsheet.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/**
 * Becomes a formula after `;`, a tab or a line break, also after quotes, white space and full-width signs.
 */
const EVIL = `a;=1+cmd|' /C calc'!A0\t@x;"+1; ＝2`;
const LINES = 'x\n=1+1\r\n-2';

/** Every export by its route or command. */
const EXPORTS: Readonly<Record<string, () => Promise<string>>> = {
  'POST /console/licenses/csv': async () => (await owner.post('/console/licenses/csv')).text,
  'POST /console/events/csv': async () =>
    (await owner.post('/console/events/csv', { license: 'lic_1' })).text,
  'POST /console/audit/csv': async () => (await owner.post('/console/audit/csv')).text,
  'POST /console/vulnerabilities/component/csv': async () => {
    const form = { ecosystem: 'wordpress-plugin', component: 'example-gallery' };
    return (await owner.post('/console/vulnerabilities/component/csv', form)).text;
  },
  'POST /portal/events/csv': async () => (await tenant.post('/portal/events/csv')).text,
  'license list --csv': () => service.command('license', 'list', '--csv'),
  'audit --csv': () => service.command('audit', '--csv'),
  'license issue --csv': async () => {
    const out = join(temporaryDirectory(), 'keys.csv');
    await service.command('license', 'issue', '--plan', 'free', '--count', '2', '--csv', '--out', out);
    return readFileSync(out, 'utf8');
  },
};

let service: RunningService;
let owner: Awaited<ReturnType<typeof operatorOf>>;
let tenant: Awaited<ReturnType<typeof portalOf>>;
// Its own process: exports hold what all licenses have, and other tests send texts of several megabytes.
beforeAll(async () => {
  service = await start('binary');
  owner = await operatorOf(service, 'olivia');
  const { key } = await service.issue('--plan', 'enterprise', '--domain', 'shop.example.com');
  await service.command(
    'license',
    'change',
    'lic_1',
    '--note',
    EVIL.replaceAll('\t', ' '),
    '--customer',
    EVIL.replaceAll('\t', ' '),
    '--reason',
    '=1;=2',
  );
  tenant = await portalOf(service, key);
  const events = [EVIL, LINES].map((message) => ({
    type: 'odd',
    message,
    metadata: { [message]: [message, -1] },
  }));
  const { status } = await fetch(`${service.url}${API}/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ domain: 'shop.example.com', events }),
  });
  expect(status).toBe(200);
  await importDemo(service);
  const [site] = (await call(service.url, `${API}/sites`, { key })).json.data.sites;
  const body = { components: DEMO_COMPONENTS };
  expect((await call(service.url, `${API}/sites/${site.id}/components`, { key, body })).status).toBe(200);
});
afterAll(() => service.end());

test('every route and every command with CSV output is among the exports', async () => {
  const pages = [...consoleRoutes, ...portalRoutes]
    .filter(({ path }) => path.endsWith('/csv'))
    .map(({ method, path }) => `${method} ${path}`);
  const withCsv = (command: Command, before: string): string[] => {
    const name = `${before}${command.name()}`;
    const own = command.options.some(({ long }) => long === '--csv') ? [`${name} --csv`] : [];
    return [...own, ...command.commands.flatMap((each) => withCsv(each, `${name} `))];
  };
  const all = await program({
    runtimeName: '',
    serve: () => Promise.reject(),
    describeApi: () => Promise.reject(),
  });
  const commands = all.commands.flatMap((command) => withCsv(command, ''));
  expect([...pages, ...commands].sort()).toEqual(Object.keys(EXPORTS).sort());
});

test.each(Object.entries(EXPORTS))(
  '%s quotes every text, and no separator makes a formula of one',
  async (_, get) => {
    const text = await get();
    const [columns = [], ...rows] = spreadsheetRows(text, ',');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.length).toBe(columns.length);
    expect(text.split('\r\n')[0]).toBe(columns.map((name) => `"${name}"`).join(','));
    expect(formulasIn(text)).toEqual([]);
  },
);
