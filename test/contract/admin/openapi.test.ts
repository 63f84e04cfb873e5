import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { hash } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { version } from '../../../package.json';
import type { RefusalCode } from '../../../src/domain/refusal.ts';
import { EXAMPLE_FINGERPRINT } from '../../../src/domain/threat/fingerprint.ts';
import { STATUS_OF } from '../../../src/http/statuses.ts';
import { VERSION } from '../../../src/lib/version.ts';
import { ADMIN_API } from '../../../src/routes/admin/contract.ts';
import {
  ADMIN,
  type Admin,
  type Asked,
  adminContract,
  adminOf,
  adminExamples as bodyExamples,
  adminOperations as operations,
  adminRefusals as refusals,
  tokenOf,
  whatIsKept,
} from '../../support/admin.ts';
import { addAlert, addSite } from '../../support/alerts.ts';
import type { Reply } from '../../support/client.ts';
import { gapsIn, openIn, unusedIn } from '../../support/contract-gaps.ts';
import { sendRaw } from '../../support/raw.ts';
import { type RunningService, start } from '../../support/service.ts';
import { publish, refuseEach, rows, without } from '../../support/store.ts';

const FEED = { SERVICE_THREAT_FEED_ENABLED: '1', SERVICE_FEED_EPOCH_SECONDS: '86400' };

let service: RunningService;
/** Its address list blocks every caller of this test. */
let closed: RunningService;
/** Allows one request a minute per token. */
let narrow: RunningService;
let admin: Admin;
let tokens: Record<'whole' | 'status' | 'feed' | 'closed' | 'narrow', string>;
beforeAll(async () => {
  // Its own process: refusals need its limits and its address list.
  [service, closed, narrow] = await Promise.all([
    start('binary', { ...FEED, SERVICE_ADMIN_RATE_PER_MINUTE: '100000', SERVICE_BODY_TIMEOUT_SECONDS: '1' }),
    start('binary', { SERVICE_ADMIN_ALLOW: '203.0.113.9' }),
    start('binary', { SERVICE_ADMIN_RATE_PER_MINUTE: '1' }),
  ]);
  const [whole, status, feed, ofClosed, ofNarrow] = await Promise.all([
    tokenOf(service),
    tokenOf(service, ['status:read'], 'monitor'),
    tokenOf(service, ['feed:read'], 'reader'),
    tokenOf(closed),
    tokenOf(narrow),
  ]);
  tokens = { whole, status, feed, closed: ofClosed, narrow: ofNarrow };
  admin = adminOf(service, whole);
  await adminOf(narrow, ofNarrow)('/status');
  for (const external_id of ['order-1', 'order-2', 'order-3'])
    expect((await admin('/licenses', { body: { plan: 'pro', external_id } })).status).toBe(200);
  await admin(`/licenses/${REVOKED}/revoke`, { method: 'POST' });
  await admin(`/licenses/${ACTIVE}/block`, { body: { domain: BLOCKED } });
  await admin(`/licenses/${ACTIVE}/bind`, { body: { domain: BOUND } });
  await admin('/feed/allow', { body: { fingerprint: RULED } });
  await service.command('notify', 'add', 'ops', 'https://hooks.example.com/');
  await service.command('notify', 'pause', 'ops');
  const site = { licenseId: 1, siteId: addSite(service, { licenseId: 1, domain: BOUND }) };
  for (const subject of ['malware', ACKNOWLEDGED])
    addAlert(service, { ...site, subject, criticalAt: Date.now() });
  const acknowledged = { license_id: REVOKED, domain: BOUND, subject: ACKNOWLEDGED };
  expect((await admin('/alerts/acknowledge', { body: acknowledged })).status).toBe(200);
});
afterAll(() => Promise.all([service, closed, narrow].map((each) => each.end())));

const [REVOKED, ACTIVE] = ['lic_1', 'lic_2'];
const ACKNOWLEDGED = 'backdoor';
const [BOUND, BLOCKED] = ['shop.example.com', 'blocked.example.com'];
const [RULED, UNKNOWN] = ['R', 'N'].map((letter) => `${letter.repeat(42)}A`);

describe('the contract of the admin API', () => {
  test('is valid OpenAPI 3.0, and what the service serves', async () => {
    expect(await new Validator().validate(JSON.parse(JSON.stringify(adminContract)))).toEqual({
      valid: true,
    });
    // Only a build knows its version.
    const built = JSON.stringify(adminContract).replaceAll(VERSION, version);
    expect((await admin('/openapi')).json).toEqual(JSON.parse(built));
  });

  test('gives each operation a unique identifier, a summary, and its scope', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, operation } of operations) {
      expect(operation.operationId).toMatch(/^[a-z]+[A-Z][a-zA-Z]+$/);
      expect(operation.summary).toBeString();
      expect(operation.security).toEqual([{ adminToken: [] }]);
      expect(operation.description).toMatch(
        path === `${ADMIN}/openapi` ? /any scope/ : /Scope `[a-z]+:(read|write)`\.$/,
      );
    }
  });

  test('names every body and list item, describes every field, and has an example of each answer', () => {
    expect(gapsIn(adminContract as never)).toEqual([]);
  });

  test('has no unused component, and only facts of the audit log may have further fields', () => {
    expect(unusedIn(adminContract as never)).toEqual([]);
    expect(openIn(adminContract as never)).toEqual([
      ...['', '/info', '/paths'].map((place) => `${ADMIN}/openapi 200: ${place}`),
      `${ADMIN}/audit 200: /data/entries/0/before`,
      `${ADMIN}/audit 200: /data/entries/0/after`,
    ]);
  });

  test('documents refusals with their status, and lists exactly the possible codes', () => {
    const { codes } = ADMIN_API;
    for (const { code, status } of refusals) expect<number>(STATUS_OF[code as RefusalCode]).toBe(status);
    expect(new Set(codes).size).toBe(codes.length);
    const documented = new Set(refusals.map(({ code }) => code));
    // Refused before routing.
    const anywhere = 'INVALID_HOST INVALID_PATH METHOD_NOT_ALLOWED';
    expect([...documented, ...anywhere.split(' ')].sort()).toEqual([...codes].sort());
  });

  test('has for every operation an example that works', async () => {
    const example = (path: string) => JSON.stringify(bodyExamples.get(ADMIN + path)?.[0]);
    const issued = await admin('/licenses', { body: example('/licenses') });
    const { license, key } = issued.json.data;
    const ofLicense = (verb: string) => `/licenses/${license.license_id}/${verb}`;
    await admin(ofLicense('change'), { body: { external_id: null } });
    await service.command('notify', 'add', 'example', 'https://hooks.example.com/');
    publish(service, EXAMPLE_FINGERPRINT);
    const isRevocation = ({ path }: { path: string }) => path.endsWith('/revoke');
    const inOrder = [...operations.filter((each) => !isRevocation(each)), ...operations.filter(isRevocation)];
    for (const { path, method } of inOrder) {
      if (/\/(unbind|verify-domain)$/.test(path))
        await admin(ofLicense('bind'), { body: { domain: license.domains[0] } });
      const place = path.slice(ADMIN.length);
      const body = method === 'GET' ? undefined : example(place).replace('rdt_live_<key>', key);
      const at = place.replace('{licenseId}', license.license_id).replace('{target}', 'example');
      const reply = await admin(at, { body });
      expect([path, method, reply.status, reply.json.error]).toEqual([path, method, 200, undefined]);
    }
  });

  test('states the exact maximum size of every body', async () => {
    for (const { path, operation } of operations) {
      if (operation.requestBody === undefined) continue;
      const [, kib] = /^Maximum size: (\d+) KiB\.$/.exec(operation.requestBody.description ?? '') ?? [];
      const send = async (bytes: number) =>
        (await admin(placeOf(path), { body: `{"x":"${'x'.repeat(bytes - 8)}"}` })).status;
      const capBytes = Number(kib) * 1024;
      expect([path, await send(capBytes), await send(capBytes + 1)]).toEqual([path, 400, 413]);
    }
  });
});

type Route = (typeof refusals)[number];
interface Trial extends Asked {
  readonly license?: string;
  readonly query?: string;
  /** Changes to the contract's example. */
  readonly change?: object;
}

const placeOf = (path: string, license: string = REVOKED) =>
  path
    .slice(ADMIN.length)
    .replace('{licenseId}', license)
    .replace('{target}', license === ACTIVE ? 'ops' : 'none');
const exampleOf = ({ path }: Route) => bodyExamples.get(path)?.[0];

const ask = (route: Route, { license, query = '', change, ...asked }: Trial = {}) =>
  admin(placeOf(route.path, license) + query, {
    method: route.method,
    ...(route.method === 'POST' ? { body: { ...exampleOf(route), ...change } } : {}),
    ...asked,
  });

/** Sends the head of a request without its body. */
const announcing = (length: number) => async (route: Route) => {
  const head = [
    `${route.method} ${ADMIN}${placeOf(route.path)} HTTP/1.1`,
    'Host: x.test',
    `Authorization: Bearer ${tokens.whole}`,
    `Content-Length: ${length}\r\n\r\n`,
  ];
  const answer = await sendRaw(service.adminUrl, head.join('\r\n'));
  return { status: answer.status, json: JSON.parse(answer.body) };
};

const verbOf = ({ path }: Route) => path.replace(/^.*\//, '');
/** Changes that make an act possible on the active license, where the example does not. */
const POSSIBLE: Readonly<Record<string, object>> = {
  // A dry run is not stored.
  import: { dry_run: false },
  licenses: { external_id: 'order-4' },
  unblock: { domain: BLOCKED },
  withdraw: { fingerprint: EXAMPLE_FINGERPRINT },
  restore: { fingerprint: RULED },
  unacknowledge: { subject: ACKNOWLEDGED },
  add: { name: 'another' },
};
/** Changes that make it impossible on any license. */
const IMPOSSIBLE: Readonly<Record<string, object>> = {
  licenses: { expires_at: '2020-01-01' },
  import: { licenses: [{ expires: '2020-01-01' }], dry_run: false },
  withdraw: { fingerprint: UNKNOWN },
  restore: { fingerprint: UNKNOWN },
  acknowledge: { subject: 'nothing' },
  add: { address: 'ftp://siem.example.com' },
  retry: { all: false, kind: 'subscription', subject_id: 'sub_none' },
};
/** Acts that document ACT_REFUSED, as all do, but never cause it here. */
const NEVER_REFUSED = {
  forget: 'a customer can always be forgotten, also of a revoked license',
  rebuild: 'there is nothing in the way of an epoch',
  allow: 'only beside 100,000 other rulings',
};

type Produce = (route: Route) => Promise<Pick<Reply, 'status' | 'json'>>;
/** Causes each code on the routes that document it. */
const PRODUCED_BY: Readonly<Record<string, Produce>> = {
  // With a malformed body, which must not be read before the token is checked.
  UNAUTHORIZED: (route) => ask(route, { token: null, ...(route.method === 'POST' ? { body: '{' } : {}) }),
  SCOPE_REQUIRED: (route) =>
    ask(route, {
      token: ['status', 'alerts'].includes(verbOf(route)) ? tokens.feed : tokens.status,
      ...(route.method === 'POST' ? { body: '{' } : {}),
    }),
  ADDRESS_NOT_ALLOWED: ({ method, path }) => adminOf(closed, tokens.closed)(placeOf(path), { method }),
  RATE_LIMITED: ({ method, path }) => adminOf(narrow, tokens.narrow)(placeOf(path), { method }),
  HEADERS_TOO_LARGE: (route) => ask(route, { headers: { 'x-long': 'x'.repeat(33 * 1024) } }),
  URI_TOO_LONG: (route) => ask(route, { query: `?${'x'.repeat(8_192)}` }),
  INVALID_QUERY: (route) => ask(route, { query: '?nothing=1' }),
  INVALID_PAYLOAD: (route) => ask(route, { body: '{' }),
  PAYLOAD_TOO_LARGE: announcing(3 * 1024 * 1024),
  UNSUPPORTED_CONTENT_ENCODING: (route) => ask(route, { headers: { 'content-encoding': 'br' }, body: '{}' }),
  REQUEST_TIMEOUT: announcing(1),
  LICENSE_NOT_FOUND: (route) =>
    ask(route, {
      license: 'lic_99',
      ...(route.path.includes('/alerts/') ? { change: { license_id: 'lic_99' } } : {}),
    }),
  EXTERNAL_ID_TAKEN: (route) => ask(route, { license: ACTIVE, change: { external_id: 'order-3' } }),
  IDEMPOTENCY_KEY_REUSED: (route) =>
    ask(route, { once: 'of-another', change: POSSIBLE[verbOf(route)] ?? {} }),
  STORE_UNAVAILABLE: (route) =>
    ask(route, { license: ACTIVE, once: 'new', change: POSSIBLE[verbOf(route)] ?? {} }),
  ACT_REFUSED: (route) => ask(route, { change: IMPOSSIBLE[verbOf(route)] ?? {} }),
  FEED_UNAVAILABLE: (route) => ask(route),
  NOT_FOUND: (route) => ask(route),
  INTERNAL: (route) => ask(route),
};

/** Circumstances, where not the usual ones. */
const CIRCUMSTANCES: Readonly<Record<string, (attempt: () => Promise<void>) => Promise<void>>> = {
  INTERNAL: (attempt) => without(service, ['admin_tokens'], attempt),
  async FEED_UNAVAILABLE(attempt) {
    rows(service, 'delete from feed_snapshots');
    await attempt();
  },
  async STORE_UNAVAILABLE(attempt) {
    publish(service, EXAMPLE_FINGERPRINT);
    const accept = refuseEach(service, 'insert', 'admin_requests');
    await attempt();
    accept();
  },
  async IDEMPOTENCY_KEY_REUSED(attempt) {
    const key = hash('sha256', 'of-another', 'base64url');
    for (const path of new Set(refusals.map((route) => ADMIN + placeOf(route.path))))
      rows(
        service,
        `insert into admin_requests values ((select id from admin_tokens where name = 'shop'), ?, ?, 'x', '{}', ?)`,
        path,
        key,
        Date.now(),
      );
    await attempt();
  },
};

/** Operations that are sent by POST but change nothing. */
const READING = ['find', 'explain'];

test.each([...new Set(refusals.map(({ code }) => code))].sort())(
  'every operation that documents %s can cause it, and then stores nothing',
  async (code) => {
    const routes = refusals.filter((refusal) => refusal.code === code);
    const isPossible = (route: Route) => {
      if (code === 'ACT_REFUSED') return !(verbOf(route) in NEVER_REFUSED);
      // Only a remote database can be unreadable.
      return code !== 'STORE_UNAVAILABLE' || (route.method !== 'GET' && !READING.includes(verbOf(route)));
    };
    const attempt = async () => {
      const before = code === 'INTERNAL' ? '' : whatIsKept(service);
      await Promise.all(
        routes.filter(isPossible).map(async (route) => {
          const reply = await PRODUCED_BY[code]?.(route);
          expect([route.path, reply?.status, reply?.json.error.code]).toEqual([
            route.path,
            route.status,
            code,
          ]);
          expect(reply?.json.error.message).toBeString();
        }),
      );
      if (code !== 'INTERNAL') expect(whatIsKept(service)).toBe(before);
    };
    await (CIRCUMSTANCES[code] ?? ((usual) => usual()))(attempt);
  },
);
