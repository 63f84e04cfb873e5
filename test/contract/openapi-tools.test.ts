// Needs Spectral and Schemathesis.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { adminContract, tokenOf } from '../support/admin.ts';
import { call } from '../support/client.ts';
import { type Contract, contract } from '../support/conformance.ts';
import { hasSchemathesis, hasSpectral, lintContract, tryContract } from '../support/contract-tools.ts';
import { knownTo } from '../support/known-contract.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, start, UNLIMITED } from '../support/service.ts';
import { isTried, suite } from '../support/suite.ts';

const missing = (name: string, isThere: boolean) =>
  isThere ? name : `${name} (skipped: .ci/run installs it)`;

describe.skipIf(!hasSpectral)(missing('Spectral', hasSpectral), () => {
  test.each([
    ['public', contract],
    ['admin', adminContract],
  ])(
    'finds nothing in the %s contract',
    async (_, document) => {
      expect(await lintContract(document)).toMatchObject({
        code: 0,
        output: expect.stringContaining('No results'),
      });
    },
    60_000,
  );
});

/** The whole matrix tests everything; `verify` tests an eighth of the operations with limits. */
const OPTIONS =
  suite === 'all'
    ? ['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', '10']
    : ['--phases', 'examples,coverage'];
const chosen = ({ paths }: Contract) =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter((_, at) => isTried(at))
    .flatMap(({ operationId = '' }) => ['--include-operation-id', operationId]);

// Needs its own service, because every act of the admin API is tested.
describe.skipIf(!hasSchemathesis)(missing('Schemathesis', hasSchemathesis), () => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    // Its own process: it has settings under which no limit is reached.
    service = await start('binary', {
      ...UNLIMITED,
      SERVICE_DAILY_EVENTS: '0',
      SERVICE_DAILY_BYTES: '0',
      SERVICE_THREAT_FEED_ENABLED: '1',
      SERVICE_BASE_URL: 'https://redoubt.example',
    });
    key = (await service.issue('--plan', 'enterprise', '--test')).key;
    await importDemo(service);
    await call(service.url, '/api/v1/telemetry', {
      key,
      body: { site_url: 'https://shop.example', license_key: key },
    });
  });
  afterAll(() => service.end());

  const GOOD = { code: 0, output: expect.not.stringContaining('FAILURES') };

  test('finds no contradiction between the public contract and the service', async () => {
    const me = await call(service.url, '/api/v1/me', { key });
    const document = knownTo(key, me.json.data.license_id_hash);
    const options = [...OPTIONS, ...chosen(document)];
    expect(await tryContract(document, { url: service.url, bearer: key, options })).toMatchObject(GOOD);
  }, 600_000);

  test('finds no contradiction between the admin contract and the service', async () => {
    const options = [...OPTIONS, ...chosen(adminContract)];
    const bearer = await tokenOf(service);
    expect(await tryContract(adminContract, { url: service.adminUrl, bearer, options })).toMatchObject(GOOD);
  }, 600_000);

  test('caused no fault of the service', () => {
    const lines = service.log().split('\n');
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
