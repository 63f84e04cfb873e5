import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { call } from '../support/client.ts';
import { bodyExamples } from '../support/conformance.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, sharedService } from '../support/service.ts';

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await sharedService();
  await importDemo(service);
  key = (await service.issue('--plan', 'enterprise', '--test')).key;
});

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
    { toString: 1 },
    [{ valueOf: 1, toString: '' }],
    ' ',
    'a'.repeat(3_000),
  ),
);
const anyName = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a/b~0', 'events'),
);

/** A valid body with one place changed or added, at any depth. */
const almostGood = (good: readonly object[]) =>
  fc
    .record({
      body: fc.constantFrom(...good),
      holder: fc.nat(),
      place: fc.nat(),
      name: anyName,
      value: anyValue,
    })
    .map(({ body, holder, place, name, value }) => {
      const copy = structuredClone(body);
      const holders = objectsIn(copy);
      const changed = holders[holder % holders.length] ?? copy;
      if (Array.isArray(changed)) {
        changed.splice(place % (changed.length + 1), 1, value);
        return JSON.stringify(copy);
      }
      const names = [...Object.keys(changed), name];
      // Not an assignment, which `__proto__` would swallow.
      Object.defineProperty(changed, names[place % names.length] ?? name, { value, enumerable: true });
      return JSON.stringify(copy);
    });

/** Analyzed or verified, so that any character is allowed; and a malformed component counts as unsupported. */
const NOT_STORED = new Set(['content', 'credential', 'components']);
const placeOf = (name: string) => new RegExp(`^${name}[^:]*: contains NUL or a lone surrogate$`);
// biome-ignore lint/suspicious/noExplicitAny: a test reads any shape and asserts on it
const messageOf = (json: any): string => json.error?.message ?? json.message;

const objectsIn = (value: unknown): object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(objectsIn)] : [];

test.each([...bodyExamples])(
  '%s refuses a value of any wrong type, and names its field',
  async (path, good) => {
    for (const body of good) {
      for (const [name, value] of Object.entries(body)) {
        if (typeof value === 'object') continue;
        const { status, json } = await call(service.url, path, { key, body: { ...body, [name]: {} } });
        expect([name, status, messageOf(json)]).toEqual([name, 400, expect.stringContaining(name)]);
      }
    }
  },
);

test.each([...bodyExamples])(
  '%s refuses a text that cannot be stored, and names its field',
  async (path, good) => {
    for (const body of good) {
      for (const [name, value] of Object.entries(body)) {
        if (NOT_STORED.has(name)) continue;
        for (const text of ['\0', 'a\ud800']) {
          const changed = typeof value === 'object' ? [{ [text]: 1 }] : text;
          const { status, json } = await call(service.url, path, { key, body: { ...body, [name]: changed } });
          expect([name, status, messageOf(json)]).toEqual([name, 400, expect.stringMatching(placeOf(name))]);
        }
      }
    }
  },
);

test.each([...bodyExamples])('%s repeats no name that a caller gave a field', async (path, good) => {
  for (const body of good) {
    for (let at = 0; at < objectsIn(body).length; at++) {
      for (const name of ['4111111111111111', 'janedoe', 'janedoe_email', 'janedoepassword']) {
        for (const value of [[], { [name]: '10.0.0.1' }]) {
          const copy = structuredClone(body);
          const holder = objectsIn(copy)[at] as Record<string, unknown>;
          if (Array.isArray(holder)) continue;
          holder[name] = value;
          const answer = await call(service.url, path, { key, body: copy });
          expect(answer.status).toBeLessThan(500);
          expect(answer.text).not.toContain(name);
        }
      }
    }
  }
});

describe.each([...bodyExamples])('for any body sent to %s', (path, good) => {
  // `call` checks every answer against the contract: its status, its schema and its headers.
  const isAnswered = async (body: string | Uint8Array) => {
    const { status } = await call(service.url, path, { key, body });
    expect(status).toBeLessThan(500);
  };
  const RUNS = { numRuns: 300 };

  test('as JSON, the answer follows the contract', () =>
    fc.assert(
      fc.asyncProperty(
        anyValue.map((value) => JSON.stringify(value)),
        isAnswered,
      ),
      RUNS,
    ));

  test('as an almost valid body, the answer follows the contract', () =>
    fc.assert(fc.asyncProperty(almostGood(good), isAnswered), RUNS));

  test('as bytes, the answer follows the contract', () =>
    fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), isAnswered), RUNS));

  test('no fault of the service occurs', () => {
    const lines = service.log().split('\n');
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
