import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { API, call } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await start('binary', {
    SERVICE_RATE_KEY_PER_MINUTE: '1000000',
    SERVICE_RATE_IP_PER_MINUTE: '1000000',
    SERVICE_DAILY_CAP: '1000000',
  });
  key = (await service.issue('--plan', 'pro', '--test')).key;
});
afterAll(() => service.end());

const GOOD: Readonly<Record<string, readonly object[]>> = {
  '/license/verify': [{ api_key: 'x', domain: 'shop.com' }],
  '/telemetry': [
    { domain: 'shop.com', events: [{ type: 'x', severity: 'low', metadata: { a: 1 }, event_id: 'e' }] },
    { site_url: 'https://shop.com', license_key: 'x', plugin_version: '1', stats: { a: 1 }, events: [] },
    { site_url: 'https://shop.com', event_type: 'x', message: 'm', metadata: {} },
  ],
  '/threat-report/report': [
    {
      attackType: 'xss',
      behaviorClass: 'b',
      payloadHash: 'p',
      siteIdHash: 's',
      licenseIdHash: 'l',
      ip: '::1',
    },
  ],
};

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom<unknown>(
    1e308,
    -0,
    2 ** 53,
    '\u0000',
    '\ud800',
    '__proto__',
    [],
    {},
    [[]],
    ' ',
    'a'.repeat(3_000),
  ),
);
const anyName = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a/b~0', 'events'),
);

/** A good body in which one place was changed, at any depth. */
const almostGood = (good: readonly object[]) =>
  fc.tuple(fc.constantFrom(...good), fc.nat(), anyName, anyValue).map(([body, pick, name, value]) => {
    const copy = structuredClone(body) as Record<string, unknown>;
    const holders: Record<string, unknown>[] = [];
    const visit = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      holders.push(part as Record<string, unknown>);
      Object.values(part).forEach(visit);
    };
    visit(copy);
    const holder = holders[pick % holders.length] ?? copy;
    const names = [...Object.keys(holder), name];
    Object.defineProperty(holder, names[pick % names.length] ?? name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return JSON.stringify(copy);
  });

describe.each(Object.entries(GOOD))('whatever is sent to %s', (path, good) => {
  // `call` holds every answer against the contract: its status, its schema and its headers.
  const isAnswered = async (body: string | Uint8Array) => {
    const { status } = await call(service.url, API + path, { key, body });
    expect([200, 400, 403, 413]).toContain(status);
  };
  const RUNS = { numRuns: 300 };

  test('as JSON is answered as the contract says', () =>
    fc.assert(
      fc.asyncProperty(
        anyValue.map((value) => JSON.stringify(value)),
        isAnswered,
      ),
      RUNS,
    ));

  test('as an almost good body is answered as the contract says', () =>
    fc.assert(fc.asyncProperty(almostGood(good), isAnswered), RUNS));

  test('as bytes is answered as the contract says', () =>
    fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), isAnswered), RUNS));

  test('is no fault of the service', () => {
    expect(service.log()).not.toContain('unexpected fault');
    expect(service.log()).not.toContain('could not be stored');
  });
});
