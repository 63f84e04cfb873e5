import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { RefusalCode } from '../../src/domain/refusal.ts';
import { ATTACK_TYPES } from '../../src/domain/threat/attack-type.ts';
import { STATUS_OF } from '../../src/http/statuses.ts';
import { KEY_PLACEHOLDER } from '../../src/routes/telemetry.ts';
import * as signals from '../../src/signals/index.ts';
import { API, call } from '../support/client.ts';
import { refusals } from '../support/conformance.ts';
import { gapsIn, openIn, unusedIn } from '../support/contract-gaps.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, run, start } from '../support/service.ts';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly in: string;
    readonly required: boolean;
  }[];
  readonly responses: Record<
    string,
    { description: string; headers: object; content?: Record<string, { schema: Schema; example?: unknown }> }
  >;
  readonly requestBody?: {
    description?: string;
    content: Record<
      string,
      { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
    >;
  };
}
interface Document {
  readonly openapi: string;
  readonly info: { version: string; description: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
}

const nameOf = (schema: Schema | undefined): string => schema?.$ref?.split('/').at(-1) ?? '';
/** Resolves a reference to a schema. */
const resolved = (schema: Schema | undefined): Schema | undefined =>
  document.components.schemas[nameOf(schema)] ?? schema;

let service: RunningService;
let document: Document;
let key: string;

beforeAll(async () => {
  // Its own process: vulnerability data is imported, and examples act on its first license.
  service = await start('binary', {
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_BASE_URL: 'https://redoubt.example',
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
    SERVICE_RATE_IP_PER_MINUTE: '100000',
  });
  key = (await service.issue('--plan', 'enterprise')).key;
  document = (await call(service.url, `${API}/openapi`)).json;
});
afterAll(() => service.end());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The required query of an operation: numbers. */
const queryOf = ({ parameters = [] }: Operation): string => {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return needed.length === 0 ? '' : `?${needed.map(({ name }) => `${name}=0`).join('&')}`;
};

describe('the contract', () => {
  test('is valid OpenAPI 3.0, document version 1.1.0, served bare', async () => {
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
    expect(document.openapi).toStartWith('3.0.');
    expect(document.info.version).toBe('1.1.0');
  });

  test('gives each operation a unique identifier, which clients can use as a function name', () => {
    const names = operations().map(({ operation }) => operation.operationId);
    const name =
      /^(get|list|verify|start|open|send|assess|report|scan|cancel|analyze|match|score|set|replace|export|issue|revoke|add|change)(?!ApiV1)[A-Z][a-zA-Z]+$/;
    for (const each of names) expect(each).toMatch(name);
    expect(new Set(names).size).toBe(names.length);
    expect(document.paths[`${API}/license/verify`]?.post?.operationId).toBe('verifyLicense');
  });

  test('names every body and list item, describes every parameter and field, and has valid examples', () => {
    expect(gapsIn(document as never)).toEqual([]);
  });

  test('has no unused component, and only data of tenants and signers may have further fields', () => {
    expect(unusedIn(document as never)).toEqual([]);
    expect(openIn(document as never)).toEqual([
      ...['', '/info', '/paths'].map((place) => `${API}/openapi 200: ${place}`),
      `${API}/sites/{siteId} 200: /data/stats`,
      `${API}/credentials/verify 200: /data/claims`,
      `${API}/credentials/verify 200: /data/claims/credentialSubject`,
      `${API}/events 200: /data/events/0/metadata`,
    ]);
  });

  test('contains exactly the public routes', () => {
    expect(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(
      [
        ...Object.values(signals).map(({ path }) => `post /api/v1${path}`),
        'get /api/v1/connect',
        'get /api/v1/credentials',
        'get /api/v1/credentials/{credentialId}',
        'get /api/v1/events',
        'get /api/v1/evidence',
        'get /api/v1/evidence/checkpoint',
        'get /api/v1/evidence/consistency',
        'get /api/v1/evidence/entries',
        'get /api/v1/evidence/entries/{index}/proof',
        'get /api/v1/evidence/export',
        'get /api/v1/me',
        'get /api/v1/notifications',
        'get /api/v1/openapi',
        'get /api/v1/reports',
        'get /api/v1/scans',
        'get /api/v1/scans/{scanId}',
        'get /api/v1/sites',
        'get /api/v1/sites/{siteId}/scan-schedule',
        'get /api/v1/sites/{siteId}',
        'get /api/v1/sites/{siteId}/components',
        'get /api/v1/sites/{siteId}/verification',
        'get /api/v1/sites/{siteId}/vulnerabilities',
        'get /api/v1/status',
        'get /api/v1/threat-feed',
        'get /api/v1/sites/{siteId}/trust',
        'get /api/v1/trust/{trustId}',
        'get /api/v1/trust/{trustId}/badge.svg',
        'get /api/v1/vulnerabilities/mirror',
        'get /api/v1/vulnerabilities/{vulnerabilityId}',
        'get /.well-known/redoubt-keys',
        'post /api/v1/analytics/metrics',
        'post /api/v1/auth/verify',
        'post /api/v1/brain/analyze',
        'post /api/v1/brain/analyze/batch',
        'post /api/v1/canary/trip',
        'post /api/v1/credentials',
        'post /api/v1/credentials/verify',
        'post /api/v1/credentials/{credentialId}/revoke',
        'post /api/v1/license/verify',
        'post /api/v1/notifications',
        'post /api/v1/notifications/{targetId}',
        'post /api/v1/restore/assess',
        'post /api/v1/risk/score',
        'post /api/v1/scan',
        'post /api/v1/scanner',
        'post /api/v1/scans',
        'post /api/v1/scans/{scanId}/cancel',
        'post /api/v1/sites/{siteId}/scan-schedule',
        'post /api/v1/license/trial',
        'post /api/v1/checkout',
        'post /api/v1/sites/{siteId}/components',
        'post /api/v1/sites/{siteId}/importance',
        'post /api/v1/sites/{siteId}/trust',
        'post /api/v1/sites/{siteId}/verification',
        'post /api/v1/telemetry',
        'post /api/v1/threat-report/report',
        'post /api/v1/vulnerabilities/match',
      ].sort(),
    );
  });

  test('gives every operation a summary, its security, and every status a schema, a description and the headers', () => {
    for (const { operation } of operations()) {
      expect(operation.summary).toBeString();
      expect(operation.security).toBeArray();
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(response.description.length).toBeGreaterThan(20);
        if (status !== '304') expect(Object.values(response.content ?? {})[0]?.schema).toBeObject();
        expect(Object.keys(response.headers)).toContain('X-RateLimit-Remaining');
      }
    }
  });

  test('explains null in the description of each field where it has a meaning', () => {
    const fields = document.components.schemas;
    expect(fields.Credential?.properties?.site_id?.description).toMatch(/site ID; null /);
    expect(fields.TrustStatement?.properties?.grade?.description).toMatch(/grade; null /);
    expect(fields.KeyStatus?.properties?.expires_at?.description).toMatch(/null: never/);
  });

  test('lists for every refusal status only codes of that status', () => {
    for (const { status, code } of refusals) expect<number>(STATUS_OF[code as RefusalCode]).toBe(status);
  });

  test('lists the attack types of the feed, and explains to reporters how names are mapped', () => {
    const feed = document.paths[`${API}/threat-feed`]?.get;
    const answer = resolved(feed?.responses[200]?.content?.['application/json']?.schema);
    const entries = resolved(answer?.properties?.data)?.properties?.entries;
    const type = resolved(resolved(entries?.items)?.properties?.attack_type);
    expect(type?.enum).toEqual(ATTACK_TYPES);
    const report = document.paths[`${API}/threat-report/report`]?.post;
    for (const name of ATTACK_TYPES) {
      expect(type?.description).toContain(`\`${name}\`: `);
      expect(report?.description).toContain(`\`${name}\``);
    }
  });

  test('has for every operation an example that works with a suitable key', async () => {
    const body = { site_url: 'https://shop.example', license_key: key };
    await call(service.url, `${API}/telemetry`, { key, body });
    await importDemo(service);
    // The domain of a development host cannot be proven.
    const env = { ...service.env, SERVICE_SCAN_ALLOW_PRIVATE: '1' };
    for (const act of ['bind', 'verify-domain'])
      expect((await run('binary', env, 'license', act, 'lic_1', '--domain', 'shop.example')).stderr).toBe('');
    const [site] = (await call(service.url, `${API}/sites`, { key })).json.data.sites;
    const wanted = { site_url: 'shop.example', scan_type: 'posture' };
    const scan = (await call(service.url, `${API}/scans`, { key, body: wanted })).json.data;
    const issued = (await call(service.url, `${API}/credentials`, { key, body: { type: 'license' } })).json
      .data;
    const target = { name: 'another', address: 'https://hooks.example.com/' };
    const added = (await call(service.url, `${API}/notifications`, { key, body: target })).json.data.target;
    const shown = await call(service.url, `${API}/sites/${site.id}/trust`, { key, body: { enabled: true } });
    for (const { path: pattern, method, operation } of operations()) {
      const path = pattern
        .replace('{trustId}', shown.json.data.trust_id)
        .replace('{credentialId}', issued.credential_id)
        .replace('{siteId}', site.id)
        .replace('{scanId}', scan.scan_id)
        .replace('{targetId}', added.id)
        .replace('{index}', '0')
        .replace('{vulnerabilityId}', 'CVE-1998-0001');
      const { example, examples } = operation.requestBody?.content['application/json'] ?? {};
      const bodies = operation.requestBody
        ? [example, ...Object.values(examples ?? {}).map(({ value }) => value)].filter(
            (body) => body !== undefined,
          )
        : [undefined];
      expect(bodies.length).toBeGreaterThan(0);
      for (const body of bodies) {
        const sent = body && JSON.stringify(body).replace(KEY_PLACEHOLDER, key);
        const reply = await call(service.url, `${path}${queryOf(operation)}`, {
          method: method.toUpperCase(),
          key,
          body: sent,
        });
        const expected = '202' in operation.responses ? 202 : 200;
        expect([path, reply.status]).toEqual([path, expected]);
      }
    }
  });

  test('states the exact maximum size of every body', async () => {
    for (const { path, method, operation } of operations()) {
      if (operation.requestBody === undefined) continue;
      const [, kib] = /^Maximum size: (\d+) KiB\.$/.exec(operation.requestBody.description ?? '') ?? [];
      const send = async (bytes: number) => {
        const body = `{"x":"${'x'.repeat(bytes - 8)}"}`;
        return (await call(service.url, path, { method: method.toUpperCase(), key, body })).status;
      };
      const capBytes = Number(kib) * 1024;
      const statuses = [path, await send(capBytes), await send(capBytes + 1)];
      expect(statuses).toEqual([path, path.endsWith('/license/verify') ? 200 : 400, 413]);
    }
  });

  test('is what `redoubt openapi` prints', async () => {
    const printed = await run('binary', service.env, 'openapi');
    expect(JSON.parse(printed.stdout)).toEqual(document as never);
  });
});
