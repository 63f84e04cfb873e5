import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { disconnect } from '../../src/storage/engine/database.ts';
import { prepare } from '../../src/storage/engine/statement.ts';
import { adminContract, tokenOf } from '../support/admin.ts';
import { API, call, type Reply } from '../support/client.ts';
import { type Contract, contract } from '../support/conformance.ts';
import { brokenBodies, EDGE_NUMBERS, edgeBodies, type OddBody } from '../support/edge-values.ts';
import { importDemo } from '../support/mirror.ts';
import { newEmptyDatabase, postgresUrl } from '../support/postgres.ts';
import { endedScan } from '../support/scans.ts';
import { type RunningService, start, UNLIMITED } from '../support/service.ts';
import { KEPT, openStore } from '../support/store.ts';

const AT_ONCE = 16;
const BASE_URL = 'https://redoubt.example';
const TARGET = { name: 'ops-chat', address: 'https://hooks.example.com/' };
const SETTINGS = {
  ...UNLIMITED,
  SERVICE_THREAT_FEED_ENABLED: '1',
  SERVICE_FEED_EPOCH_SECONDS: '86400',
  SERVICE_BASE_URL: BASE_URL,
  SERVICE_SCAN_ALLOW_PRIVATE: '1',
};

/** A service with a tenant, and paths with its site, scan and credential. */
interface Subject {
  readonly name: string;
  readonly service: RunningService;
  readonly key: string;
  readonly token: string;
  readonly ids: Readonly<Record<string, string>>;
}

let subjects: readonly Subject[];
beforeAll(async () => {
  const url = postgresUrl(await newEmptyDatabase());
  // Its own process: services on different engines and runtimes are compared.
  subjects = await Promise.all([
    subjectOf('SQLite', start('binary', SETTINGS)),
    subjectOf('PostgreSQL', start('binary', { ...SETTINGS, SERVICE_DATABASE_URL: url })),
    subjectOf('SQLite under Deno', start('deno', SETTINGS)),
  ]);
});
afterAll(() => Promise.all(subjects.map(({ service }) => service.end())));

async function subjectOf(name: string, starting: Promise<RunningService>): Promise<Subject> {
  const service = await starting;
  const { key, license_id } = await service.issue('--plan', 'enterprise');
  await importDemo(service);
  const ask = async (path: string, body?: object) =>
    (await call(service.url, API + path, { key, body })).json.data;
  await ask('/telemetry', { site_url: 'https://shop.example', license_key: key });
  for (const act of ['bind', 'verify-domain'])
    await service.command('license', act, license_id, '--domain', 'shop.example');
  await service.command('notify', 'add', TARGET.name, TARGET.address);
  const [site] = (await ask('/sites')).sites;
  const { scan_id: scanId } = await ask('/scans', { site_url: 'shop.example', scan_type: 'posture' });
  // Its evidence entry is not caused by a refused request.
  await endedScan(service, key, scanId);
  return {
    name,
    service,
    key,
    token: await tokenOf(service),
    ids: {
      siteId: site.id,
      licenseId: license_id,
      scanId,
      credentialId: (await ask('/credentials', { type: 'license' })).credential_id,
      trustId: (await ask(`/sites/${site.id}/trust`, { enabled: true })).trust_id,
      target: TARGET.name,
      targetId: (await ask('/notifications', TARGET)).target.id,
      vulnerabilityId: 'CVE-1998-0001',
      index: '0',
    },
  };
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly contract: Contract;
  readonly query: readonly { readonly name: string; readonly required: boolean }[];
  readonly schema: object;
  readonly examples: readonly object[];
}

const OPERATIONS: readonly Operation[] = [contract, adminContract].flatMap((contract) =>
  Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const { example, examples = {}, schema = {} } = requestBody?.content['application/json'] ?? {};
      const shown = [...(example ? [example] : []), ...Object.values(examples).map(({ value }) => value)];
      const query = parameters.filter((parameter) => parameter.in === 'query');
      return { method: method.toUpperCase(), path, contract, query, schema, examples: shown };
    }),
  ),
);

const isAdmin = ({ contract }: Operation) => contract === adminContract;
const filled = (path: string, ids: Subject['ids']) =>
  path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? '');

const ask = (
  { service, key, token, ids }: Subject,
  operation: Operation,
  { path = filled(operation.path, ids), body }: { readonly path?: string; readonly body?: string } = {},
): Promise<Reply> =>
  call(
    isAdmin(operation) ? service.adminUrl : service.url,
    path,
    { method: operation.method, key: isAdmin(operation) ? token : key, body },
    operation.contract,
  );

const outcome = ({ status, json }: Reply) =>
  `${status} ${typeof json?.error === 'string' ? json.error : (json?.error?.code ?? '')}`.trim();

/** The answers of each service to the same requests. */
const askAll = (ask: (subject: Subject) => Promise<Reply>, of = subjects): Promise<string[]> =>
  Promise.all(of.map(async (subject) => outcome(await ask(subject))));
/** Without the other runtime, which gets fewer requests: it has the same source. */
const engines = () => subjects.slice(0, 2);

/** Lists wrong answers: those that differ between services, and faults. */
function differing(what: string, answers: readonly string[], expected = answers[0] ?? ''): string[] {
  const isRight = answers.every((answer) => answer === expected) && !expected.startsWith('5');
  return isRight ? [] : [`${what}: ${answers.join(', ')}; expected ${expected}`];
}

/** The number of rows in everything that callers can make a service store. */
async function rowsOf({ service }: Subject): Promise<unknown> {
  const db = openStore(service);
  const tables = [...KEPT, 'audit_log', 'admin_requests', 'feed_rulings'];
  const counts = tables.map((table) => `select '${table}' as "table", count(*) as "rows" from ${table}`);
  const rows = await prepare<object>(db, counts.join(' union all ')).all();
  await disconnect(db);
  return rows;
}

/** In rounds of several at once. */
async function sendAll<Each>(
  all: readonly Each[],
  send: (each: Each) => Promise<readonly string[]>,
): Promise<string[]> {
  const findings: string[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    findings.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(send))).flat());
  return findings;
}

/** Fields with text that is checked and not stored; a component with such text is unsupported alone. */
const SPARED: Readonly<Record<string, RegExp>> = {
  [`${API}/brain/analyze`]: /^content =/,
  [`${API}/brain/analyze/batch`]: /^items\.\d+\.content =/,
  [`${API}/credentials/verify`]: /^credential =/,
  [`${API}/sites/{siteId}/components`]: /^components\.\d+\./,
  [`${API}/vulnerabilities/match`]: /^components\.\d+\./,
};
const isSpared = ({ path }: Operation, { what }: OddBody) => SPARED[path]?.test(what) === true;

describe('on each engine and runtime alike', () => {
  test('a text or name that cannot be stored unchanged is refused as malformed anywhere, and nothing is stored', async () => {
    const before = await Promise.all(subjects.map(rowsOf));
    let sent = 0;
    for (const operation of OPERATIONS.filter(({ examples }) => examples.length > 0)) {
      const [expected = ''] = await askAll((subject) => ask(subject, operation, { body: '{' }));
      expect([operation.path, expected]).toEqual([operation.path, expect.stringMatching(/^400 [A-Z_]+$/)]);
      const odd = operation.examples
        .flatMap((example) => brokenBodies(example, operation.schema, operation.contract))
        .filter((body) => !isSpared(operation, body));
      sent += odd.length;
      const told = await sendAll([...odd.entries()], async ([at, { what, json }]) =>
        differing(
          `${operation.path} ${what}`,
          await askAll(
            (subject) => ask(subject, operation, { body: json }),
            at % 4 === 0 ? subjects : engines(),
          ),
          expected,
        ),
      );
      expect(told).toEqual([]);
    }
    expect(sent).toBeGreaterThan(1_000);
    expect(await Promise.all(subjects.map(rowsOf))).toEqual(before);
  }, 60_000);

  test.each(Object.keys(SPARED))(
    'text that %s checks may contain any character, because it is not stored',
    async (path) => {
      const operation = OPERATIONS.find((each) => each.path === path) as Operation;
      const odd = operation.examples.flatMap((example) => brokenBodies(example, operation.schema, contract));
      for (const { what, json } of odd.filter((body) => isSpared(operation, body))) {
        const answers = await askAll((subject) => ask(subject, operation, { body: json }));
        expect([what, ...answers]).toEqual([what, '200', '200', '200']);
      }
    },
  );

  test('a query with NUL or invalid UTF-8 is refused, and such a path is not found', async () => {
    const told = await sendAll(OPERATIONS, async (operation) => {
      const wrong: string[] = [];
      for (const broken of ['%00', 'a%00b', '%ED%A0%80', 'a%ED%B0%80', '%ff']) {
        for (const { name } of operation.query) {
          const answers = await askAll((subject) =>
            ask(subject, operation, { path: `${filled(operation.path, subject.ids)}?${name}=${broken}` }),
          );
          wrong.push(...differing(`${operation.path} ${name}=${broken}`, answers, '400 INVALID_QUERY'));
        }
        if (!operation.path.includes('{')) continue;
        const path = operation.path.replace(/\{\w+\}/, broken);
        const [example] = operation.examples;
        const answers = await askAll((subject) =>
          ask(subject, operation, { path, ...(example ? { body: JSON.stringify(example) } : {}) }),
        );
        wrong.push(...differing(`${operation.method} ${path}`, answers));
        // A badge that is not found is a picture as well, for image proxies.
        if (answers[0]?.startsWith('2') && !path.endsWith('/badge.svg'))
          wrong.push(`${operation.method} ${path} is of something`);
      }
      return wrong;
    });
    expect(told).toEqual([]);
  }, 30_000);

  test('a number at the limit of a double or of 64 bits gets one answer, and causes no fault', async () => {
    const wrong: string[] = [];
    let sent = 0;
    for (const operation of OPERATIONS) {
      const bodies = operation.examples.flatMap((example) =>
        edgeBodies(example, operation.schema, operation.contract),
      );
      // One after another: some of them change the data of the next one.
      for (const { what, json } of bodies)
        wrong.push(
          ...differing(
            `${operation.path} ${what}`,
            await askAll((subject) => ask(subject, operation, { body: json }), engines()),
          ),
        );
      sent += bodies.length;
      wrong.push(...(await sendAll(edgePaths(operation), (path) => answersDiffer(operation, path))));
    }
    expect(wrong).toEqual([]);
    expect(sent).toBeGreaterThan(500);
    for (const { service } of subjects) expect(service.log()).not.toContain('"level":"error"');
  }, 60_000);

  test.each(['/console/sign-in', '/portal/sign-in'])(
    'a form at %s with such a text is refused',
    async (path) => {
      for (const name of ['name', 'password', 'key', 'x%00'])
        for (const broken of ['%00', 'a%00b', '%ED%A0%80']) {
          const statuses = await Promise.all(
            subjects.map(async ({ service }) => {
              const isConsole = path.startsWith('/console');
              const base = isConsole ? service.adminUrl : service.url;
              const origin = isConsole ? base : BASE_URL;
              const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
              return (await call(base, path, { body: `${name}=${broken}`, headers })).status;
            }),
          );
          expect([name, broken, ...statuses]).toEqual([name, broken, 400, 400, 400]);
        }
    },
  );
});

/** Paths with such a number as an id, or in a query. */
const edgePaths = ({ path, query }: Operation): readonly string[] =>
  EDGE_NUMBERS.filter((_, at) => at % 2 === 0).flatMap((number) => [
    ...(path.includes('{') ? [path.replace(/\{\w+\}/, number)] : []),
    ...query.map(({ name }) => {
      const others = query.filter((one) => one.required && one.name !== name);
      return `${path}?${[`${name}=${number}`, ...others.map((one) => `${one.name}=0`)].join('&')}`;
    }),
  ]);

const answersDiffer = async (operation: Operation, path: string) =>
  differing(
    `${operation.method} ${path}`,
    await askAll(
      (subject) =>
        ask(subject, operation, {
          path: filled(path, subject.ids),
          ...(operation.examples[0] ? { body: JSON.stringify(operation.examples[0]) } : {}),
        }),
      engines(),
    ),
  );
