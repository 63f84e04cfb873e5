import { beforeAll, expect, test } from 'bun:test';
import { API, call } from '../../support/client.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, sharedService } from '../../support/service.ts';
import { RESTORE, signalAt, WRITE_ONLY } from '../../support/signals.ts';
import { tenantOf } from '../../support/tenant.ts';

const PATH = '/portal/signals';
let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

const shown = async (key: string, query = '') => (await portalOf(service, key)).get(PATH + query);
const rowOf = (html: string, name: string): string => {
  const at = html.indexOf(`<th scope="row">${name}</th>`);
  return html.slice(at, html.indexOf('</tr>', at));
};

test('every signal is listed with the plan of its module and its availability to the license', async () => {
  const { key } = await service.issue('--plan', 'pro');
  const { status, text } = await shown(key);
  expect(status).toBe(200);
  for (const { path } of WRITE_ONLY) expect(text).toContain(`<code>${path}</code>`);
  expect(rowOf(text, 'Server guard')).toMatch(/<td[^>]*>pro<\/td><td[^>]*>yes<\/td>$/);
  expect(rowOf(text, 'PC guard')).toMatch(/<td[^>]*>enterprise<\/td><td[^>]*>no<\/td>$/);
  expect(text).toContain('Included in enterprise');
  expect(text).not.toContain('Included in pro');
});

test('a granted module is shown as available, and a denied one is not', async () => {
  const { key } = await service.issue(
    '--plan',
    'pro',
    '--allow-module',
    'pc_guard',
    '--deny-module',
    'decoys',
  );
  const { text } = await shown(key);
  expect(rowOf(text, 'PC guard')).toMatch(/<td[^>]*>yes<\/td>$/);
  expect(rowOf(text, 'Decoys')).toMatch(/<td[^>]*>no<\/td>$/);
});

test('scores are the latest of each site, with the best measure, and continue on the next page', async () => {
  const { key, get, heartbeat } = await tenantOf(service);
  for (let site = 0; site < 11; site += 1) await heartbeat(`s${site}.example.com`);
  const send = (path: string, body: unknown) => call(service.url, API + path, { key, body });
  const { hygieneRiskScore } = (await send('/keyhygiene/signal', signalAt('/keyhygiene/signal').body)).json
    .data;
  const { restoreSafetyScore } = (await send(RESTORE.path, RESTORE.body)).json.data;
  const { sites } = (await get('/sites?limit=1')).json.data;
  const first = (await shown(key)).text;
  expect(first).toContain(`risk ${hygieneRiskScore} of 100,`);
  expect(first).toContain(`safety ${restoreSafetyScore} of 100,`);
  expect(first).toContain(`<a href="/portal/sites/${sites[0].id}">s0.example.com</a>`);
  expect(first).not.toContain('s10.example.com');
  const [, next = ''] = /href="\/portal\/signals(\?cursor=[^"]+)"/.exec(first) ?? [];
  const second = (await shown(key, next)).text;
  expect([second.includes('s10.example.com'), second.includes('s0.example.com')]).toEqual([true, false]);
  expect((await shown(key, '?cursor=x')).status).toBe(400);
});

test('a license of the plan free sees every signal, and the plan that scores need', async () => {
  const { key } = await service.issue('--plan', 'free');
  const { status, text } = await shown(key);
  expect([status, text.includes('Requires the plan starter')]).toEqual([200, true]);
  for (const plan of ['starter', 'pro', 'enterprise']) expect(text).toContain(`Included in ${plan}`);
});
