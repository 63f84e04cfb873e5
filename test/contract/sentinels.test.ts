import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { API, call } from '../support/client.ts';
import { engineOf } from '../support/engines.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, start } from '../support/service.ts';
import { WRITE_ONLY } from '../support/signals.ts';
import { everythingKept } from '../support/store.ts';

/** Values that a careless client could send anywhere. None of them may be on the host afterwards. */
const SENTINELS = {
  word: 'zq7sentinelword',
  email: 'zq7.sentinel@customer-site.com',
  ipv4: '203.0.113.171',
  ipv6: '2001:db8:5e:71::e1',
  agent: 'Zq7SentinelBrowser/9.81',
  path: '/home/zq7sentinel/wp-config.php',
  token: 'ghp_zq7SENTINELzq7SENTINELzq7SENTINEL0123',
};
const PLANTED = Object.values(SENTINELS);
const HEADERS = {
  'user-agent': SENTINELS.agent,
  'x-forwarded-for': SENTINELS.ipv4,
  'x-real-ip': SENTINELS.ipv6,
  forwarded: `for=${SENTINELS.ipv4}`,
  referer: `https://${SENTINELS.word}.example/`,
  cookie: `session=${SENTINELS.token}`,
  'x-request-id': SENTINELS.word,
  'if-none-match': `"${SENTINELS.word}"`,
  'content-type': `application/${SENTINELS.word}`,
};

interface Operation {
  readonly requestBody?: {
    readonly content: Record<string, { example?: object; examples?: Record<string, { value: object }> }>;
  };
}

let service: RunningService;
let key: string;
beforeAll(async () => {
  // Its own process: every file in its data directory is read.
  service = await start('binary', {
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
    SERVICE_RATE_IP_PER_MINUTE: '100000',
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_LOG_LEVEL: 'debug',
  });
  await importDemo(service);
  key = (await service.issue('--plan', 'enterprise')).key;
});
afterAll(() => service.end());

async function expectNoTrace(): Promise<void> {
  const kept = everythingKept(service);
  // So that the search covers all of it.
  if (engineOf(import.meta).name === 'SQLite')
    expect(readdirSync(service.env.SERVICE_DATA_DIR ?? '')).toContain('redoubt.sqlite-wal');
  expect(kept.some((text) => text.includes('enterprise'))).toBe(true);
  for (const text of kept) {
    for (const planted of PLANTED) {
      expect([planted, text.includes(planted)]).toEqual([planted, false]);
      expect([planted, text.includes(Buffer.from(planted).toString('base64'))]).toEqual([planted, false]);
    }
  }
}

test('values planted around the body of any request leave no byte on the host', async () => {
  const { paths } = (await call(service.url, `${API}/openapi`)).json as {
    paths: Record<string, Record<string, Operation>>;
  };
  const query = PLANTED.map(
    (planted, index) => `${SENTINELS.word}${index}=${encodeURIComponent(planted)}`,
  ).join('&');
  let sent = 0;
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const { example, examples = {} } = requestBody?.content['application/json'] ?? {};
      const bodies = [example, ...Object.values(examples).map(({ value }) => value)].filter(
        (body) => body !== undefined,
      );
      for (const body of requestBody ? bodies : [undefined]) {
        for (const as of [key, undefined, SENTINELS.token]) {
          for (const more of [{}, { [SENTINELS.word]: PLANTED }]) {
            const answer = await call(service.url, `${path.replace(/\{\w+\}/g, SENTINELS.word)}?${query}`, {
              method: method.toUpperCase(),
              key: as,
              headers: HEADERS,
              body: body && { ...body, ...more },
            });
            expect(answer.status).toBeLessThan(500);
            for (const planted of PLANTED) expect(answer.text).not.toContain(planted);
            sent++;
          }
        }
      }
    }
  }
  expect(sent).toBeGreaterThan(90);
  await expectNoTrace();
});

test('values sent as an opaque hash leave no byte on the host', async () => {
  const hashes = ['payloadHash', 'siteIdHash', 'licenseIdHash', 'appIdHash'];
  const accepted = new Set<string>();
  for (const { path, body } of WRITE_ONLY) {
    for (const name of hashes) {
      const sent = { ...body, [name]: SENTINELS.word };
      const { status } = await call(service.url, API + path, { key, body: sent });
      if (status === 200) accepted.add(`${path} ${name}`);
    }
  }
  expect(accepted).toContain('/keyhygiene/signal siteIdHash');
  expect(accepted).toContain('/restore/assess siteIdHash');
  expect(accepted.size).toBeGreaterThan(10);
  await expectNoTrace();
});

test('values planted in any place of a signal or report leave no byte on the host', async () => {
  /** The body with one value planted in one place: every value and every key, one after another. */
  function* withPlanted(value: unknown, planted: string): Generator<unknown> {
    yield planted;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        for (const changed of withPlanted(item, planted)) yield value.with(index, changed);
      }
    } else if (typeof value === 'object' && value !== null) {
      yield { ...value, [planted]: 1 };
      for (const [name, item] of Object.entries(value)) {
        for (const changed of withPlanted(item, planted)) yield { ...value, [name]: changed };
      }
    }
  }
  for (const { path, body } of WRITE_ONLY) {
    // Single words are excluded: where any token is an opaque hash or a class, a word is one.
    for (const planted of PLANTED.filter((each) => each !== SENTINELS.word)) {
      for (const changed of withPlanted({ ...body, ip: planted, userAgent: planted }, planted)) {
        const answer = await call(service.url, API + path, { key, headers: HEADERS, body: changed });
        expect(answer.status).toBeLessThan(500);
        expect(answer.text).not.toContain(planted);
      }
    }
  }
  await expectNoTrace();
});
