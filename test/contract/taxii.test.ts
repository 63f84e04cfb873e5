import { afterAll, beforeAll, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { fingerprintOf } from '../../src/domain/threat/fingerprint.ts';
import { indicatorUuid } from '../../src/domain/threat/stix.ts';
import { API, call, expectHeaders, type Request } from '../support/client.ts';
import { hasPythonTools, runPython } from '../support/python-tools.ts';
import { type RunningService, start } from '../support/service.ts';
import { issueExpired, stored, without } from '../support/store.ts';
import { HABITS, TaxiiReader } from '../support/taxii.ts';

const TYPE = 'application/taxii+json;version=2.1';
const THREATS = '/taxii2/feed/collections/threats/';
const WITHDRAWN = '/taxii2/feed/collections/withdrawn/';
const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const threatOf = (payloadHash: string) => ({
  attackType: 'xss',
  behaviorClass: 'automated_scanner',
  payloadHash,
});
const idOf = (name: string) => `indicator--${indicatorUuid(fingerprintOf(threatOf(name)))}`;

let service: RunningService;
let key: string;
let expired: string;
beforeAll(async () => {
  // Its own process: the feed has to be empty.
  service = await start('binary', {
    SERVICE_THREAT_FEED_ENABLED: '1',
    // No epoch ends while these tests run.
    SERVICE_FEED_EPOCH_SECONDS: '86400',
    SERVICE_FEED_MIN_AGE_HOURS: '0',
    SERVICE_FEED_MIN_CORROBORATION: '1',
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
    SERVICE_RATE_IP_PER_MINUTE: '100000',
  });
  ({ key } = await service.issue('--plan', 'free', '--domain', 'only.com'));
  ({ key: expired } = await issueExpired(service, '--plan', 'pro'));
  const { key: reporter } = await service.issue('--plan', 'starter');
  for (const name of NAMES) {
    const body = { ...threatOf(name), siteIdHash: 'site', licenseIdHash: 'license' };
    expect((await call(service.url, `${API}/threat-report/report`, { key: reporter, body })).status).toBe(
      200,
    );
  }
  await service.command('feed', 'rebuild');
});
afterAll(() => service.end());

const ask = (path: string, request: Request = {}) => call(service.url, path, { key, ...request });
const idsOf = (objects: { id: string }[] = []) => objects.map(({ id }) => id);
const withdraw = (name: string) =>
  service.command('feed', 'withdraw', '--rebuild', '--', fingerprintOf(threatOf(name)));
const restore = (name: string) =>
  service.command('feed', 'restore', '--rebuild', '--', fingerprintOf(threatOf(name)));

test('discovery leads to the API root, its collections and their objects, with or without a final slash', async () => {
  const discovery = await ask('/taxii2/');
  expect(discovery.json).toMatchObject({ default: `${service.url}/taxii2/feed/`, title: expect.any(String) });
  expect((await ask('/taxii2/feed/')).json).toMatchObject({ versions: [TYPE] });
  const { collections } = (await ask('/taxii2/feed/collections/')).json;
  expect(collections).toMatchObject([
    {
      alias: 'threats',
      can_read: true,
      can_write: false,
      media_types: ['application/stix+json;version=2.1'],
    },
    { alias: 'withdrawn', can_read: true, can_write: false },
  ]);
  for (const { id, alias } of collections) {
    const [byId, byAlias] = [
      await ask(`/taxii2/feed/collections/${id}/`),
      `/taxii2/feed/collections/${alias}`,
    ];
    expect([byId.json.id, (await ask(byAlias)).json]).toEqual([id, byId.json]);
  }
  const { json, headers } = await ask(`${THREATS}objects/`);
  expect(headers.get('content-type')).toBe(TYPE);
  expect(idsOf(json.objects).slice(2).toSorted()).toEqual(NAMES.map(idOf).toSorted());
  expect(json.objects.at(-1)).toMatchObject({
    pattern: expect.stringMatching(/^\[x-redoubt-fingerprint:value = '[\w-]{43}'\]$/),
    labels: ['xss'],
  });
});

test.each(['\n', '\r\n', ' ', '\t', '\ufeff', '\u200b', '\u00a0'])(
  'white space %j around the password of Basic authentication does not count',
  async (space) => {
    for (const password of [`${space}${key}`, `${key}${space}`, `${space}${key}${space}`]) {
      const authorization = `Basic ${Buffer.from(`redoubt:${password}`).toString('base64')}`;
      const answer = await fetch(`${service.url}/taxii2/`, { headers: { authorization } });
      expect(answer.status).toBe(200);
    }
  },
);

test.each([
  ['no key', {}, 401],
  ['a wrong key', { authorization: 'Bearer psk_wrong' }, 401],
  ['a wrong password', { authorization: `Basic ${btoa('redoubt:psk_wrong')}` }, 401],
  ['Basic that is not base64', { authorization: 'Basic :::' }, 401],
  ['Basic without a password', { authorization: `Basic ${btoa('redoubt')}` }, 401],
  ['another scheme', { authorization: 'Token x' }, 401],
] as const)(
  '%s is refused with a challenge, at every resource, and never redirected',
  async (_, headers, status) => {
    const before = stored(service);
    for (const path of ['', 'feed/', 'feed/collections/', 'feed/collections/threats/objects/']) {
      const answer = await fetch(`${service.url}/taxii2/${path}`, { headers, redirect: 'manual' });
      expectHeaders(answer.headers);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, TYPE]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="[^"]+", Bearer$/);
      const error = await answer.json();
      expect(error).toEqual({
        title: expect.any(String),
        error_code: expect.any(String),
        http_status: String(status),
        error_id: answer.headers.get('x-request-id'),
      });
    }
    expect(stored(service)).toEqual(before);
  },
);

test.each([
  ['GET', `${THREATS}objects/`, { accept: 'application/taxii+json;version=2.0' }, 406, 'NOT_ACCEPTABLE'],
  ['GET', '/taxii2/', { accept: 'text/html, application/json' }, 406, 'NOT_ACCEPTABLE'],
  ['GET', '/taxii2/', { accept: 'application/taxii+json;version=2.1;q=0, text/html' }, 406, 'NOT_ACCEPTABLE'],
  ['GET', '/taxii2/', { accept: '*/*; q=0.000' }, 406, 'NOT_ACCEPTABLE'],
  ['GET', '/taxii2/feed/collections/others/', {}, 404, 'NOT_FOUND'],
  ['GET', '/taxii2/feed/status/2d086da7-4bdc-4f91-900e-d77486753710/', {}, 404, 'NOT_FOUND'],
  ['GET', `${THREATS}objects/indicator--00000000-0000-0000-0000-000000000000/`, {}, 404, 'NOT_FOUND'],
  ['GET', `${THREATS}objects/x/versions/`, {}, 404, 'NOT_FOUND'],
  ['GET', `${THREATS}objects/%zz/`, {}, 404, 'NOT_FOUND'],
  ['GET', `${THREATS}objects/indicator--%ED%A0%80/`, {}, 404, 'NOT_FOUND'],
  ['GET', `${THREATS}objects/indicator--%00/versions/`, {}, 404, 'NOT_FOUND'],
  ['GET', '/taxii2/feed/collections/%zz/objects/', {}, 404, 'NOT_FOUND'],
  ['GET', '/taxii2/feed/collections/%FF/', {}, 404, 'NOT_FOUND'],
  ['GET', `${WITHDRAWN}objects/${idOf('one')}/`, {}, 404, 'NOT_FOUND'],
  ['GET', `${THREATS}objects/?limit=0`, {}, 400, 'INVALID_QUERY'],
  ['GET', `${THREATS}objects/?limit=1.5`, {}, 400, 'INVALID_QUERY'],
  ['GET', `${THREATS}objects/?next=-1`, {}, 400, 'INVALID_QUERY'],
  ['GET', `${THREATS}objects/?added_after=yesterday`, {}, 400, 'INVALID_QUERY'],
  ['GET', `${THREATS}objects/?match[version]=newest`, {}, 400, 'INVALID_QUERY'],
  ['GET', `${THREATS}objects/?match[version]=last,newest`, {}, 400, 'INVALID_QUERY'],
  ['GET', `${THREATS}objects/?match[id]=${','.repeat(200)}`, {}, 400, 'INVALID_QUERY'],
  ['GET', `${THREATS}objects/?match[name]=x`, {}, 400, 'INVALID_QUERY'],
  ['GET', `${THREATS}objects/?limit=1&limit=2`, {}, 400, 'INVALID_QUERY'],
  ['POST', `${THREATS}objects/`, { 'content-type': TYPE }, 403, 'READ_ONLY_COLLECTION'],
  ['POST', `${THREATS}objects/`, { 'content-type': 'application/json' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['POST', `${THREATS}objects/`, {}, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['DELETE', `${THREATS}objects/${idOf('one')}/`, {}, 405, 'METHOD_NOT_ALLOWED'],
] as const)(
  '%s %s with %j is refused with an error message of TAXII',
  async (method, path, headers, status, code) => {
    const before = stored(service);
    const body = method === 'POST' ? new TextEncoder().encode('{"objects":[]}') : undefined;
    const answer = await ask(path, { method, headers, ...(body ? { body } : {}) });
    expect([answer.status, answer.json.error_code, answer.json.http_status]).toEqual([
      status,
      code,
      String(status),
    ]);
    expect(answer.headers.get('content-type')).toBe(TYPE);
    expect(stored(service)).toEqual(before);
  },
);

test.each([TYPE, 'application/taxii+json; version=2.1', 'application/taxii+json', 'text/html, */*;q=0.1'])(
  'a client that accepts %s is served',
  async (accept) => {
    const { status, headers } = await ask(`${THREATS}objects/`, { headers: { accept } });
    expect([status, headers.get('content-type')]).toEqual([200, TYPE]);
  },
);

test('an expired license reads nothing', async () => {
  const { status, json } = await ask('/taxii2/', { key: expired });
  expect([status, json.error_code]).toEqual([401, 'INVALID_KEY']);
});

test('objects and manifests are filtered by id, type, version and moment', async () => {
  const { objects: manifest } = (await ask(`${THREATS}manifest/`)).json;
  const { date_added: third, id, version } = manifest[2];
  const matching = async (query: string) => idsOf((await ask(`${THREATS}objects/?${query}`)).json.objects);
  expect(manifest).toHaveLength(2 + NAMES.length);
  expect(await matching(`match[id]=${id},${idOf('nothing')}`)).toEqual([id]);
  expect(await matching('match[type]=identity,report')).toEqual([manifest[0].id]);
  expect(await matching(`match[type]=indicator&match[id]=${manifest[0].id}`)).toEqual([]);
  expect(await matching(`match[version]=${version}`)).toHaveLength(NAMES.length);
  expect(await matching('match[version]=first')).toHaveLength(manifest.length);
  expect(await matching('match[version]=2001-01-01T00:00:00Z')).toEqual([]);
  expect(await matching('match[spec_version]=2.0')).toEqual([]);
  expect(await matching('match[spec_version]=2.0,2.1')).toHaveLength(manifest.length);
  expect(await matching(`added_after=${third}`)).toEqual(idsOf(manifest.slice(3)));
  const page = await ask(`${THREATS}manifest/?added_after=${third}&limit=2`);
  expect([page.json.more, idsOf(page.json.objects)]).toEqual([true, idsOf(manifest.slice(3, 5))]);
  expect(page.headers.get('x-taxii-date-added-first')).toBe(manifest[3].date_added);
  expect(page.headers.get('x-taxii-date-added-last')).toBe(manifest[4].date_added);
  const nothing = await ask(`${THREATS}objects/?added_after=${manifest.at(-1).date_added}`);
  expect([nothing.json, nothing.headers.get('x-taxii-date-added-last')]).toEqual([{}, null]);
  expect((await ask(`${THREATS}objects/${id}/versions/`)).json).toEqual({ versions: [version] });
  const moments = manifest.map((each: { date_added: string }) => each.date_added);
  expect(moments).toEqual([...new Set<string>(moments)].toSorted());
});

test('a page is compressed, and not sent again while the feed is the same', async () => {
  const { headers } = await ask(`${THREATS}objects/`);
  const zipped = await fetch(`${service.url}${THREATS}objects/`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
    decompress: false,
  });
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(JSON.parse(gunzipSync(await zipped.bytes()).toString()).objects).toHaveLength(2 + NAMES.length);
  const again = await ask(`${THREATS}objects/`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('a withdrawn threat keeps its id, is revoked in a later version, and comes back in a later one', async () => {
  const before = (await ask(`${THREATS}objects/${idOf('two')}/`)).json.objects[0];
  await withdraw('two');
  expect((await ask(`${THREATS}objects/${idOf('two')}/`)).status).toBe(404);
  const revoked = (await ask(`${WITHDRAWN}objects/${idOf('two')}/`)).json.objects[0];
  expect(revoked).toEqual({ ...before, revoked: true, modified: expect.any(String) });
  expect(revoked.modified > before.modified).toBe(true);
  await restore('two');
  expect((await ask(`${WITHDRAWN}objects/${idOf('two')}/`)).status).toBe(404);
  const again = (await ask(`${THREATS}objects/${idOf('two')}/`)).json.objects[0];
  expect(again).toEqual({ ...before, modified: expect.any(String) });
  expect(again.modified > revoked.modified).toBe(true);
});

test.each([...HABITS])('a client that asks with %s gets everything once over HTTP', async (habit) => {
  const asking = (path: string) => (query: string) => ask(`${path}objects/${query}`);
  const [threats, withdrawn] = [
    new TaxiiReader(asking(THREATS), habit, 2),
    new TaxiiReader(asking(WITHDRAWN), habit, 2),
  ];
  let pages = 0;
  await threats.read(async () => (pages++ === 1 ? withdraw('three') : undefined));
  await withdrawn.read();
  await restore('three');
  await threats.read();
  for (const { seen } of [threats, withdrawn]) expect(new Set(seen).size).toBe(seen.length);
  const { objects } = (await ask(`${THREATS}objects/`)).json;
  const versions = objects.map((each: { id: string; modified: string }) => `${each.id} ${each.modified}`);
  expect(versions.filter((version: string) => !threats.seen.includes(version))).toEqual([]);
  expect(withdrawn.seen.some((version) => version.startsWith(idOf('three')))).toBe(true);
});

test.skipIf(!hasPythonTools)(
  'taxii2-client reads the service, and stix2-validator finds nothing wrong',
  async () => {
    await withdraw('four');
    const found = await runPython('taxii-client.py', `${service.url}/taxii2/`, key);
    await restore('four');
    expect([found.byBearer.length, Object.keys(found.collections)]).toEqual([2, ['threats', 'withdrawn']]);
    for (const [alias, read] of Object.entries<Record<string, { id: string; modified: string }[]>>(
      found.collections,
    )) {
      const { objects = [], manifest, byId, byType, versions, errors, warnings, later } = read;
      expect([alias, errors, warnings]).toEqual([alias, [], []]);
      expect(manifest as unknown[]).toEqual(objects.map(({ id, modified }) => `${id} ${modified}`));
      const newest = objects.at(-1);
      expect([byId, byType, versions as unknown]).toEqual([[newest], [objects[0]], [newest?.modified]]);
      expect(later as unknown).toEqual({});
    }
    expect(idsOf(found.collections.withdrawn.objects)).toContain(idOf('four'));
    expect(idsOf(found.collections.threats.objects)).not.toContain(idOf('four'));
  },
);

test('a database that cannot be read is answered with an error message, and the next page is right', async () => {
  const path = `${THREATS}objects/?match[type]=indicator`;
  await without(service, ['feed_objects'], async () => {
    const { status, json } = await ask(path);
    expect([status >= 500, json.http_status]).toEqual([true, String(status)]);
  });
  expect((await ask(path)).status).toBe(200);
});

test('its limit per address is that of the feed, and a client is asked to wait', async () => {
  // Its own process: every address may ask once a minute.
  const narrow = await start('binary', {
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_RATE_IP_PER_MINUTE: '1',
  });
  const license = await narrow.issue('--plan', 'free', '--domain', 'only.com');
  const asked = { key: license.key };
  expect((await call(narrow.url, '/taxii2/', asked)).status).toBe(200);
  for (const path of ['/taxii2/feed/', `${API}/threat-feed`])
    expect((await call(narrow.url, path, asked)).status).toBe(429);
  const { headers, json } = await call(narrow.url, `${THREATS}objects/`, asked);
  expect([json.error_code, headers.get('content-type')]).toEqual(['RATE_LIMITED', TYPE]);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  await narrow.end();
});

test('when the feed is off, there is no service of TAXII', async () => {
  // Its own process: the feed is off.
  const off = await start('binary', {});
  const license = await off.issue('--plan', 'pro');
  for (const path of ['/taxii2/', `${THREATS}objects/`]) {
    const { status, json } = await call(off.url, path, { key: license.key });
    expect([status, json.error_code]).toEqual([404, 'NOT_FOUND']);
  }
  await off.end();
});
