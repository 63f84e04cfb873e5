import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API, call, type Reply } from '../support/client.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, start } from '../support/service.ts';

// test/bodies/bodies.ndjson is the output of bodies.php, .py, .mjs and .go in its folder, in this order.

interface ClientBody {
  readonly client: string;
  readonly route: 'telemetry' | 'verify' | 'components';
  /** The number of its malformed components. */
  readonly odd: number;
  readonly body: string;
}

const FOLDER = join(import.meta.dir, '../bodies');
const lines = readFileSync(join(FOLDER, 'bodies.ndjson'), 'utf8').trimEnd().split('\n');
const bodies = lines.map((line) => JSON.parse(line) as ClientBody);

let service: RunningService;
let key: string;
let site: string;
beforeAll(async () => {
  // Its own process: vulnerability data is imported.
  service = await start('binary', {
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
    SERVICE_RATE_IP_PER_MINUTE: '100000',
  });
  await importDemo(service);
  key = (await service.issue('--plan', 'pro', '--domain', 'bodies.com')).key;
  const beat = { site_url: 'bodies.com', license_key: key };
  await call(service.url, `${API}/telemetry`, { key, body: beat });
  site = (await call(service.url, `${API}/sites`, { key })).json.data.sites[0].id;
});
afterAll(() => service.end());

const CHECKS: Readonly<Record<ClientBody['route'], (body: string, odd: number) => Promise<void>>> = {
  async telemetry(body) {
    const { status, text } = await send('/telemetry', body);
    expect([body, status, text]).toEqual([body, 200, expect.any(String)]);
  },
  async verify(body) {
    const { json } = await call(service.url, `${API}/license/verify`, { body: body.replace('__KEY__', key) });
    expect([body, json.valid]).toEqual([body, true]);
  },
  async components(body, odd) {
    for (const path of ['/vulnerabilities/match', `/sites/${site}/components`]) {
      const { status, json } = await send(path, body);
      expect([path, body, status, json.data?.counts.unsupported]).toEqual([path, body, 200, odd]);
    }
  },
};
const send = (path: string, body: string): Promise<Reply> =>
  call(service.url, API + path, { key, body: body.replace('__KEY__', key) });

test('there are 211 bodies of five clients', () => {
  expect(bodies).toHaveLength(211);
  expect([...new Set(bodies.map(({ client }) => client))].sort()).toEqual([
    'go',
    'node',
    'php7',
    'php8',
    'python',
  ]);
});

describe.each(['php7', 'php8', 'python', 'node', 'go'])('bodies of %s', (sender) => {
  test.each(['telemetry', 'verify', 'components'] as const)('are accepted by %s', async (path) => {
    const sent = bodies.filter(({ client, route }) => client === sender && route === path);
    expect(sent.length).toBeGreaterThan(0);
    for (const { route, body, odd } of sent) await CHECKS[route](body, odd);
  });
});

/** Programs with the lines that they print. */
const PROGRAMS = [
  ['php', 'bodies.php', /^php/],
  ['node', 'bodies.mjs', /^node$/],
] as const;

describe.each(PROGRAMS)('the output of %s', (program, file, clients) => {
  test.skipIf(Bun.which(program) === null)('equals the recorded output', () => {
    const { stdout } = spawnSync(program, [join(FOLDER, file)], { encoding: 'utf8' });
    expect(stdout.trimEnd().split('\n')).toEqual(
      lines.filter((_, at) => clients.test(bodies[at]?.client ?? '')),
    );
  });
});
