import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ADMIN, adminContract, tokenOf } from '../support/admin.ts';
import { call } from '../support/client.ts';
import { bodyExamplesIn, type Contract, contract } from '../support/conformance.ts';
import { knownTo } from '../support/known-contract.ts';
import { importDemo } from '../support/mirror.ts';
import { type Tried, triedBodies, triedTexts } from '../support/schema-limits.ts';
import { type RunningService, start, UNLIMITED } from '../support/service.ts';

// Needs its own service, because every act of the admin API is tested.

const AT_ONCE = 16;
let service: RunningService;
let key: string;
let token: string;
/** Values that only the caller knows, so that the contract cannot express them. */
let known: Contract;
beforeAll(async () => {
  // Its own process: it has settings that accept as much as can be.
  service = await start('binary', {
    ...UNLIMITED,
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_FEED_EPOCH_SECONDS: '86400',
    SERVICE_SURFACE_SCANS: '0',
    SERVICE_BASE_URL: 'https://redoubt.example',
  });
  key = (await service.issue('--plan', 'enterprise', '--test')).key;
  // The target of acts; the tenant's own license stays active.
  await service.issue('--plan', 'pro');
  token = await tokenOf(service);
  await importDemo(service);
  const me = await call(service.url, '/api/v1/me', { key });
  known = knownTo(key, me.json.data.license_id_hash);
});
afterAll(() => service.end());

const operationsIn = ({ paths }: Contract) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
const placeOf = (path: string) => path.replace('{licenseId}', 'lic_2').replace(/\{\w+\}/g, 'none');
const isAdmin = (path: string) => path.startsWith(ADMIN);

/**
 * Rules that no schema can express, by the words of their refusals: 400 as for a form, because clients know
 * them so.
 */
const BEYOND_SCHEMAS = [
  // The list of a cursor is sealed in it, or depends on the epoch of the feed.
  'cursor: is not a cursor of this list',
  'cursor: the feed has changed since',
  // Between two fields.
  'first: is greater than second',
  'license_key: requires exactly one item with a plan',
  // Between two items of a list.
  'items[1].id: repeats the id of items[0]',
  // Stored data of the license, and the operator's development hosts.
  'license_key: only a license that is in trial or has expired can be prolonged',
  'is a development host, which needs no registration',
];

/** The answer of the service: refused for its form, or not. */
async function isTaken(path: string, method: string, query: string, body?: unknown): Promise<boolean> {
  const place = placeOf(path) + query;
  const { status, json } = isAdmin(path)
    ? await call(service.adminUrl, place, { method, key: token, body }, adminContract)
    : await call(service.url, place, { method, key, body }, contract);
  expect([path, query, status]).not.toEqual([path, query, 429]);
  const { message = '' } = status === 400 ? (json.error.message ? json.error : json) : {};
  return status !== 400 || BEYOND_SCHEMAS.some((words) => message.includes(words));
}

/** Values that the contract and the service judge differently. */
async function differences(
  tried: readonly Tried[],
  isTaken: (value: unknown) => Promise<boolean>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = 0; at < tried.length; at += AT_ONCE)
    await Promise.all(
      tried.slice(at, at + AT_ONCE).map(async ({ what, value, isValid }) => {
        if ((await isTaken(value)) !== isValid) found.push(`${what}: ${isValid ? 'refused' : 'taken'}`);
      }),
    );
  return found;
}

/** Any malformed component counts as unsupported. */
const isOfComponent = ({ what }: Tried) => /^(?:without )?components\.0/.test(what);

const bodies = [contract, adminContract].flatMap((each) =>
  operationsIn(each).filter(({ operation }) => operation.requestBody !== undefined),
);
test.each(bodies.map(({ path }) => path))(
  '%s accepts exactly the bodies that the contract admits',
  async (path) => {
    const document = isAdmin(path) ? adminContract : known;
    const schema = document.paths[path]?.post?.requestBody?.content['application/json']?.schema ?? {};
    const examples = bodyExamplesIn(document).get(path) ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const own = JSON.parse(JSON.stringify(example).replace('rdt_live_...', key));
      const tried = triedBodies(own, schema, document).filter((each) => !isOfComponent(each) || each.isValid);
      expect(tried.filter(({ isValid }) => !isValid).length).toBeGreaterThan(0);
      expect(await differences(tried, (body) => isTaken(path, 'POST', '', body))).toEqual([]);
    }
  },
  30_000,
);

const queries = [contract, adminContract].flatMap((each) =>
  operationsIn(each).flatMap(({ path, method, operation: { parameters = [] } }) =>
    parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => ({ path, method, name })),
  ),
);
test.each(queries.map(({ path, name }) => [path, name] as const))(
  '%s accepts exactly the values of %s that the contract admits',
  async (path, name) => {
    const document = isAdmin(path) ? adminContract : known;
    const { parameters = [] } = document.paths[path]?.get ?? { parameters: [] };
    const needed = parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required && parameter.name !== name)
      .map((parameter) => `&${parameter.name}=0`);
    const { schema = {} } = parameters.find((parameter) => parameter.name === name) ?? {};
    const tried = triedTexts(schema, document);
    const send = (value: unknown) =>
      isTaken(path, 'GET', `?${name}=${encodeURIComponent(String(value))}${needed.join('')}`);
    expect(await differences(tried, send)).toEqual([]);
  },
);
