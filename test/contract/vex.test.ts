import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, call } from '../support/client.ts';
import { type Browser, operatorOf } from '../support/console.ts';
import { csafVex, openVex, osvRecord, vexStatement } from '../support/feeds.ts';
import { importRecords } from '../support/mirror.ts';
import { type RunningService, start } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const NAME = 'CVE-2026-1000';
const PAD = { ecosystem: 'npm', name: 'left-pad', version: '1.2.0' };
const HOUR_MS = 3_600_000;

let service: RunningService;
let key: string;
let site: string;
let viewer: Browser;
beforeAll(async () => {
  // Its own process: it has its own vulnerability data.
  service = await start('binary');
  ({ key } = await service.issue('--plan', 'pro', '--test'));
  await call(service.url, `${API}/telemetry`, {
    key,
    body: { site_url: 'https://shop.test', license_key: key },
  });
  site = (await ask('/sites')).json.data.sites[0].id;
  const modified = new Date(Date.now() - HOUR_MS).toISOString();
  await importRecords(service, 'osv:npm', [osvRecord({ modified })]);
  viewer = await operatorOf(service, 'vera', 'viewer');
  const components = [{ ...PAD, status: 'active' }];
  expect((await ask(`/sites/${site}/components`, { components })).status).toBe(200);
});
afterAll(async () => {
  expect(service.log()).not.toContain('unexpected error');
  await service.end();
});

const ask = (path: string, body?: unknown) =>
  call(service.url, API + path, { key, ...(body === undefined ? {} : { body }) });
const found = async (query = '') => (await ask(`/sites/${site}/vulnerabilities${query}`)).json.data;
const shown = async () => (await ask(`/vulnerabilities/${NAME}`)).json.data;
const importVex = async (document: object, ...options: string[]) => {
  const path = join(temporaryDirectory(), 'vex.json');
  writeFileSync(path, JSON.stringify(document));
  return service.command('vulns', 'import', path, '--force', ...options);
};
const counted = async () => (await ask(`/sites/${site}`)).json.data.vulnerabilities;

test('a statement that a component is not affected lowers its finding with the justification, until another is imported', async () => {
  const before = await found();
  expect(before.counts).toMatchObject({ vulnerable: 1, no_known: 0 });
  expect(before.findings).toMatchObject([{ vulnerability_id: NAME, not_affected: null }]);
  expect((await shown()).vex).toEqual([]);
  const countedBefore = await counted();

  await importVex(openVex());
  const after = await found();
  expect(after.counts).toMatchObject({ vulnerable: 0, no_known: 1 });
  expect(after.findings).toMatchObject([
    {
      vulnerability_id: NAME,
      due_at: null,
      overdue: false,
      not_affected: {
        justification: 'vulnerable_code_not_in_execute_path',
        impact: 'The path is constant',
        source: 'openvex',
      },
    },
  ]);
  expect(after.sources.map(({ id }: { id: string }) => id)).toEqual(['openvex', 'osv:npm']);
  expect([(await found('?min_risk=1')).findings, (await found('?decision=act')).findings]).toEqual([[], []]);
  expect([countedBefore.findings, await counted()]).toMatchObject([1, { findings: 0, highest_risk: 0 }]);
  expect((await ask('/vulnerabilities/match', { components: [PAD] })).json.data.components).toMatchObject([
    { outcome: 'no_known', findings: [{ not_affected: { source: 'openvex' } }] },
  ]);
  const { vex, sources } = await shown();
  expect(vex).toMatchObject([
    { ...PAD, name: '@scope/right-pad', version: '2.0.0' },
    {
      ...PAD,
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      source: 'openvex',
    },
  ]);
  expect(sources.map(({ id }: { id: string }) => id)).toContain('openvex');
  expect(await service.command('vulns', 'lookup', 'npm', 'left-pad', '1.2.0')).toMatch(
    /states that it is not affected[\s\S]*vulnerable code not in execute path/,
  );

  const [license] = rows(service, 'select license_id as id from sites');
  const page = await viewer.get(`/console/sites/lic_${license?.id}/shop.test`);
  const cells = page.text.replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|');
  expect(cells).toContain(
    `|npm package left-pad 1.2.0|${NAME}|not affected: vulnerable code not in execute path: The path is constant|`,
  );

  // Another supplier disputes it.
  await importVex(
    csafVex({ vulnerability: { product_status: { under_investigation: ['left-pad-1.2.0'] } } }),
  );
  expect(await found()).toMatchObject({ counts: { vulnerable: 1 }, findings: [{ not_affected: null }] });
  expect((await shown()).vex).toHaveLength(3);

  // A newer revision of the first document no longer says it.
  const document = openVex({
    timestamp: '2026-10-20T00:00:00Z',
    statements: [vexStatement({ products: ['pkg:npm/left-pad@9.9.9'] })],
  });
  await importVex([openVex(), document] as unknown as object);
  await importVex(csafVex());
  expect(await found()).toMatchObject({
    counts: { vulnerable: 0 },
    findings: [{ not_affected: { source: 'csaf', justification: 'vulnerable_code_not_present' } }],
  });
});

test('VEX alone is no vulnerability data, never out of date, and listed with its format', async () => {
  const { sources, state } = (await ask('/vulnerabilities/mirror')).json.data;
  expect(sources).toMatchObject([
    { id: 'csaf', format: 'csaf', stale: false },
    { id: 'openvex', format: 'openvex', stale: false },
    { id: 'osv:npm', format: 'osv' },
  ]);
  expect(state).toBe('current');
});
