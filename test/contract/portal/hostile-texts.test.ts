import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { API } from '../../support/client.ts';
import type { Browser } from '../../support/console.ts';
import { expectOwnMarkup, hostile } from '../../support/hostile.ts';
import { knownTenant } from '../../support/known-tenant.ts';
import { formsOf } from '../../support/markup.ts';
import { importDemo } from '../../support/mirror.ts';
import { portalOf, portalRoutes } from '../../support/portal.ts';
import { type RunningService, start, UNLIMITED } from '../../support/service.ts';

const RUNS = 25;
const DOMAIN = 'goshawk.example.com';
const PARAMETER = /:\w+/g;
const [SIGN_IN, SIGN_OUT] = ['/portal/sign-in', '/portal/sign-out'];

let service: RunningService;
let browser: Browser;
let key: string;
/** Every readable page. */
let pages: readonly string[];
/** Every parameter of their addresses and forms. */
let names: readonly string[];

const pathsOf = (method: string, values: readonly string[]): string[] =>
  portalRoutes
    .filter((route) => route.method === method && route.path !== SIGN_OUT)
    .flatMap(({ path }) =>
      path.includes(':') ? values.map((value) => path.replaceAll(PARAMETER, value)) : [path],
    );

beforeAll(async () => {
  // Its own process: vulnerability data is imported.
  service = await start('binary', {
    SERVICE_BASE_URL: 'https://redoubt.example',
    SERVICE_SURFACE_SCANS: '0',
    ...UNLIMITED,
  });
  await importDemo(service);
  const tenant = await knownTenant(service, 'goshawk');
  ({ key } = tenant);
  browser = await portalOf(service, key);
  const [there, seen]: [string[], Set<string>] = [[], new Set(['cursor', 'site'])];
  for (const path of pathsOf('GET', Object.values(tenant.ids))) {
    const { status, text } = await browser.get(path);
    if (status !== 200) continue;
    there.push(path);
    for (const { fields } of await formsOf(text)) for (const name of Object.keys(fields)) seen.add(name);
  }
  pages = there;
  names = [...seen];
});
afterAll(async () => {
  expect(service.log()).not.toContain('unexpected error');
  await service.end();
});

async function expectSafe(path: string, { status, text, headers }: Awaited<ReturnType<Browser['get']>>) {
  expect([path, status < 500, text.includes(key)]).toEqual([path, true, false]);
  if (headers.get('content-type')?.startsWith('text/html')) await expectOwnMarkup(path, text);
}
const send = (body: object) =>
  fetch(`${service.url}${API}/telemetry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });

test('no text from a site is markup on any page', async () => {
  expect(pages.length).toBeGreaterThan(7);
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const event = { severity: 'critical', message: text, metadata: { [text]: text, list: [text] } };
      const heartbeat = { site_url: `https://${DOMAIN}`, license_key: key };
      const bodies = [
        { ...heartbeat, stats: { zz: text, [text]: text } },
        { ...heartbeat, plugin_version: text },
        { ...heartbeat, site_url: text },
        { domain: DOMAIN, site_uuid: text, events: [] },
        { domain: DOMAIN, events: [{ ...event, type: text, event_id: text }] },
      ];
      for (const body of bodies) expect((await send(body)).status).toBeOneOf([200, 400, 403]);
      const kept = [
        { ...heartbeat, stats: { zz: text } },
        { domain: DOMAIN, events: [{ ...event, type: 'zz' }] },
      ];
      for (const body of kept) expect((await send(body)).status).toBe(200);
      for (const path of pages) await expectSafe(path, await browser.get(path));
    }),
    { numRuns: RUNS },
  );
});

test('no text in a path, a query or a form is markup either', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, fc.nat(), async (text, at) => {
      const fields = Object.fromEntries(names.map((name) => [name, text]));
      const alone = names[at % names.length] as string;
      for (const path of pages)
        for (const query of [fields, { [alone]: text }]) {
          const asked = `${path}?${new URLSearchParams(query)}`;
          await expectSafe(asked, await browser.get(asked));
        }
      for (const path of pathsOf('GET', [encodeURIComponent(text)]))
        await expectSafe(path, await browser.get(path));
      for (const path of pathsOf('POST', [encodeURIComponent(text), 'x'])) {
        const form = path === SIGN_IN ? { key: text } : fields;
        await expectSafe(path, await browser.post(path, form));
      }
    }),
    { numRuns: RUNS },
  );
});
