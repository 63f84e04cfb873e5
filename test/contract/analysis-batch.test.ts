import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { whileCounted } from '../support/nodes.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { everythingKept, rows } from '../support/store.ts';

// Needs more time than the others.

const BATCH = `${API}/brain/analyze/batch`;
const KIB_64 = 64 * 1024;
const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };
const SHELL = '<?php @eval($_POST["zq7marksecretparameter"]);';
const ORDINARY = '<?php echo esc_html( get_the_title() );';

let service: RunningService;
beforeAll(async () => {
  // Its own process: every file in its data directory is read, and limits are tested.
  service = await start('binary', UNLIMITED);
});
afterAll(() => service.end());

const item = (id: string, content: string, input_type = 'code') => ({ id, input_type, content });
const issue = async (at = service) => {
  const { key, license_id } = await at.issue('--plan', 'pro');
  const counts = "select sum(given) as given from verdict_counts where category = '' and license_id = ?";
  return {
    key,
    license_id,
    counted: () => Number(rows(at, counts, Number(license_id.slice(4)))[0]?.given ?? 0),
    ask: (items: readonly object[], signal?: AbortSignal) =>
      call(at.url, BATCH, { key, body: { items }, ...(signal ? { signal } : {}) }),
  };
};

/** A body of the given number of bytes. */
const bodyOf = (bytes: number) => {
  const frame = JSON.stringify({ items: [item('a', '', 'log')] }).length;
  return JSON.stringify({ items: [item('a', 'a'.repeat(bytes - frame), 'log')] });
};

/** A body without a declared length. */
const streamed = (text: string) => new Blob([text]).stream();

describe('a batch', () => {
  test('is answered in the order of its items, each like a single content', async () => {
    const { key, ask } = await issue();
    const contents = [
      item('z', ORDINARY),
      item('a', SHELL),
      item('m', 'http://paypal.com.account-verify.example.top/login', 'url'),
      item('\u00e9 / 😀', 'Hello', 'text'),
    ];
    const { status, json } = await ask(contents);
    expect(status).toBe(200);
    const alone = await Promise.all(
      contents.map(async ({ id, ...body }) => ({
        id,
        ...(await call(service.url, `${API}/brain/analyze`, { key, body })).json.data,
      })),
    );
    expect(json.data.items).toEqual(alone);
    expect(json.data.items[1].verdict).toBe('malicious');
  });

  test('of 64 contents is accepted, and 65 are refused', async () => {
    const { ask, counted } = await issue();
    const many = Array.from({ length: 65 }, (_, index) => item(String(index), ORDINARY));
    const { status, json } = await ask(many.slice(1));
    expect([status, json.data.items.length, counted()]).toEqual([200, 64, 64]);
    expect((await ask(many)).json.error.message).toBe('items: Expected 1 to 64 items');
    expect(counted()).toBe(64);
  });

  test('stores only counters, counted with the answer, and no byte of the content', async () => {
    const { ask, counted, license_id } = await issue();
    const { text } = await ask([
      { ...item('a', SHELL), site_url: 'https://zq7marksite.example' },
      item('b', SHELL),
      item('c', ORDINARY),
    ]);
    expect(text).not.toContain('zq7mark');
    for (const kept of everythingKept(service)) expect(kept.includes('zq7mark')).toBe(false);
    expect(counted()).toBe(3);
    const shells = "select given from verdict_counts where category = 'web_shell' and license_id = ?";
    expect(rows(service, shells, Number(license_id.slice(4)))).toEqual([{ given: 2 }]);
  });

  const good = item('good', 'Hello', 'text');
  test.each([
    ['no items', [], 'items: '],
    ['an empty id', [good, item('', 'x')], 'items[1].id: '],
    ['a long id', [good, item('x'.repeat(513), 'x')], 'items[1].id: '],
    ['a repeated id', [good, item('x', 'x'), item('good', 'x')], 'items[2].id: repeats the id of items[0]'],
    ['an unknown type', [good, item('x', 'zq7mark', 'binary')], 'items[1].input_type: '],
    ['no content', [good, item('x', '')], 'items[1].content: '],
    [
      'content that is not a string',
      [good, { ...item('x', ''), content: { zq7mark: 1 } }],
      'items[1].content: ',
    ],
    ['an unknown field', [good, { ...good, id: 'b', zq7mark: 1 }], 'items[1].(unknown field): '],
    ['NUL in an id', [good, item('zq7mark\0', 'x')], 'items[1].id: '],
    ['a lone surrogate in an id', [good, item('zq7mark\ud800', 'x')], 'items[1].id: '],
    ['NUL in a site', [{ ...good, site_url: 'zq7mark\0.example' }], 'items[0].site_url: '],
    ['a bad site', [good, { ...good, id: 'b', site_url: 'zq7mark is none' }], 'items[1].site_url: '],
    ['a long request', [good, item('x', 'a'.repeat(KIB_64 + 1), 'request')], 'items[1].content: '],
    ['long addresses', [good, item('x', 'a'.repeat(KIB_64 + 1), 'url')], 'items[1].content: '],
    [
      'too many addresses',
      [
        good,
        item('x', Array.from({ length: 1_001 }, (_, index) => `http://a${index}.example`).join(' '), 'url'),
      ],
      'items[1].content: ',
    ],
  ])(
    'with %s is refused with the index of the item, without an echo, and nothing is counted',
    async (_, items, place) => {
      const { ask, counted } = await issue();
      const { status, text, json } = await ask(items);
      expect([status, json.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
      expect(json.error.message).toStartWith(place);
      expect(text).not.toContain('zq7mark');
      expect(counted()).toBe(0);
    },
  );

  test('may have any character in its contents, like a single content', async () => {
    const { ask } = await issue();
    const { status, json } = await ask([item('a', `\0\ud800${SHELL}`), item('b', 'x\0', 'text')]);
    expect([status, json.data.items[0].verdict]).toEqual([200, 'malicious']);
  });

  test('may have exactly 1 MiB, declared or not', async () => {
    const { key } = await issue();
    const MIB = 1024 * 1024;
    const chunked = (bytes: number) => streamed(bodyOf(bytes));
    for (const make of [bodyOf, chunked]) {
      const [whole, over] = [
        await call(service.url, BATCH, { key, body: make(MIB) }),
        await call(service.url, BATCH, { key, body: make(MIB + 1) }),
      ];
      expect([whole.status, over.status, over.json.error.code]).toEqual([200, 413, 'PAYLOAD_TOO_LARGE']);
    }
  });

  test('needs a plan, and a license of a lower one has nothing counted', async () => {
    const { key } = await service.issue('--plan', 'starter');
    const { status, json } = await call(service.url, BATCH, { key, body: { items: [good] } });
    expect([status, json.error.code]).toEqual([403, 'PLAN_REQUIRED']);
  });
});

describe('a content of over 64 KiB', () => {
  let named = 0;
  const FUNCTION = `function shop_title_of( $id ) {\n  return esc_html( get_the_title( (int) $id ) );\n}\n`;
  const plugin = `<?php\n${FUNCTION.repeat(1_300).replace(/shop_title_of/g, () => `shop_${++named}`)}`;

  test('is read to its end, and reasons name its own lines', async () => {
    const { ask, counted } = await issue();
    const content = `${plugin}@eval($_POST["zq7mark"]);\n${plugin.slice(5)}`;
    const line = plugin.split('\n').length;
    const { json } = await ask([item('a', plugin), item('b', content)]);
    expect(json.data.items.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'clean',
      'malicious',
    ]);
    expect(json.data.items[1].reasons[0]).toBe(`request input run as PHP, line ${line}`);
    expect(counted()).toBe(2);
  });

  test('that is a log returns the line of a request far down', async () => {
    const { ask } = await issue();
    const entry = (target: string) =>
      `203.0.113.9 - - [21/Nov/2026:07:00:00 +0000] "GET ${target} HTTP/1.1" 200 5 "-" "-"\n`;
    const content = entry('/shop/').repeat(3_000) + entry('/?f=../../../../etc/passwd');
    const { json } = await ask([item('a', content, 'log')]);
    expect(json.data.items[0].categories).toContain('path_traversal');
    expect(json.data.items[0].reasons.join()).toContain('line 3001,');
  });
});

describe('a batch uses one unit of the limit for each started 64 KiB', () => {
  const LIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '20', SERVICE_RATE_IP_PER_MINUTE: '100000' };
  let limited: RunningService;
  beforeAll(async () => {
    limited = await start('binary', LIMITED);
  });
  afterAll(() => limited.end());
  const newKey = async (at = limited) => (await at.issue('--plan', 'pro')).key;
  const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));
  test.each([
    ['with a declared length', (text: string) => text],
    ['in chunks', streamed],
  ])('of a body %s', (_, make) =>
    whileCounted({ services: [limited] }, async () => {
      const key = await newKey();
      const ask = (bytes: number) => call(limited.url, BATCH, { key, body: make(bodyOf(bytes)) });
      // At most one unit every three seconds is returned meanwhile.
      expect(remaining(await ask(KIB_64))).toBe(19);
      expect(remaining(await ask(KIB_64 + 1))).toBeWithin(17, 19);
      expect(remaining(await ask(10 * KIB_64))).toBeWithin(7, 10);
    }),
  );

  test('and is refused as a whole, before its body is sent, when they are not available', () =>
    whileCounted({ services: [limited] }, async () => {
      const key = await newKey();
      const ask = (bytes: number) => call(limited.url, BATCH, { key, body: bodyOf(bytes) });
      expect((await ask(12 * KIB_64)).status).toBe(200);
      const refused = await ask(16 * KIB_64);
      expect([refused.status, refused.json.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(refused.headers.get('x-ratelimit-limit')).toBe('20');
      expect(remaining(refused)).toBeWithin(8, 11);
      // Eight are missing, at three seconds each.
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(15, 25);
      // The refusal used none.
      const verified = await call(limited.url, `${API}/auth/verify`, { key, method: 'POST' });
      expect(remaining(verified)).toBeWithin(7, 12);
    }));

  test('and all units of a limit that is lower than its need', async () => {
    const at = await start('binary', { ...LIMITED, SERVICE_RATE_KEY_PER_MINUTE: '5' });
    const key = await newKey(at);
    const whole = await call(at.url, BATCH, { key, body: bodyOf(16 * KIB_64) });
    expect([whole.status, remaining(whole)]).toEqual([200, 0]);
    const next = await call(at.url, BATCH, { key, body: bodyOf(16 * KIB_64) });
    expect(next.status).toBe(429);
    expect(Number(next.headers.get('retry-after'))).toBeWithin(50, 61);
    await at.end();
  });
});

describe('during a batch', () => {
  /** Slow without a compiler. */
  const SLOW = { ...UNLIMITED, BUN_JSC_useJIT: '0' };
  const slow = (count: number) =>
    Array.from({ length: count }, (_, index) => item(String(index), "'".repeat(15 * 1024)));

  test('its license and others get answers in between, and a disconnect frees its place uncounted', async () => {
    const at = await start('binary', SLOW);
    try {
      const [one, other] = [await issue(at), await issue(at)];
      expect((await one.ask([item('a', 'Hello', 'text')])).status).toBe(200);
      let isOver = false;
      const hangUp = new AbortController();
      const batch = one.ask(slow(64), hangUp.signal).then(
        () => (isOver = true),
        () => {},
      );
      await Bun.sleep(300);
      const single = { input_type: 'text', content: 'Hello' };
      for (const { key } of [one, other]) {
        expect((await call(at.url, `${API}/brain/analyze`, { key, body: single })).status).toBe(200);
        expect(isOver).toBe(false);
      }
      hangUp.abort();
      await batch;
      // The place is free, so that four more fit.
      await until(async () => {
        const statuses = await Promise.all([1, 2, 3, 4].map(() => one.ask([item('a', 'Hello', 'text')])));
        return statuses.every(({ status }) => status === 200);
      });
      expect(one.counted()).toBeLessThan(64);
    } finally {
      await at.end();
    }
  });

  test('a fifth batch of its license is refused as busy, with Retry-After, and not counted', async () => {
    const at = await start('binary', SLOW);
    try {
      const { ask, counted } = await issue(at);
      const replies = await Promise.all(Array.from({ length: 5 }, () => ask(slow(16))));
      const refused = replies.filter(({ status }) => status !== 200);
      expect(
        refused.map(({ status, json, headers }) => [status, json.error.code, headers.get('retry-after')]),
      ).toEqual([[503, 'ANALYSIS_BUSY', '5']]);
      expect(counted()).toBe(4 * 16);
    } finally {
      await at.end();
    }
  });
});
