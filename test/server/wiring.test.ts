import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '../../src/lib/log.ts';
import { startService } from '../../src/server/wiring.ts';
import { loadInput, type ServiceInput } from '../../src/settings/service-input.ts';
import { databasePath, lockDataDirectory } from '../../src/storage/engine/data-directory.ts';
import { until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const STORAGE = new URL('../../src/storage-thread.ts', import.meta.url);
const ANALYSIS = [process.execPath, join(import.meta.dir, '../../src/analysis-process.ts')] as const;

/** The entry of a thread written by the test. */
function entryOf(source: string): URL {
  const path = join(temporaryDirectory(), 'thread.ts');
  writeFileSync(path, source);
  return new URL(`file://${path}`);
}

const listOf = (directory: string, look: (path: string) => string) =>
  readdirSync(directory).flatMap((name) => {
    try {
      return [look(join(directory, name))];
    } catch {
      // It is gone by now.
      return [];
    }
  });
/** The worker threads of this process. */
const workers = () =>
  listOf('/proc/self/task', (path) => readFileSync(join(path, 'comm'), 'utf8')).filter((name) =>
    name.startsWith('Worker'),
  ).length;
const spareFiles = () => listOf('/proc/self/fd', readlinkSync).filter((path) => path === '/dev/null').length;
const filesIn = (directory: string) =>
  listOf('/proc/self/fd', readlinkSync).filter((path) => path.startsWith(directory));

function starting(change: (input: ServiceInput) => ServiceInput = (input) => input, storage = STORAGE) {
  const dataDir = temporaryDirectory();
  const environment = {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_PORT: '0',
    SERVICE_ADMIN_PORT: '0',
    SERVICE_DISK_RESERVE_MIB: '0',
  };
  const before = [workers(), spareFiles()];
  return {
    dataDir,
    start: () =>
      startService({
        entries: { storage, analysis: ANALYSIS, program: ['/bin/false'] },
        input: change(loadInput(environment)),
        reloads: { hasLastFailed: false },
        log: silentLog,
        onFatal: () => {},
      }),
    async expectNothingLeft() {
      lockDataDirectory(dataDir)();
      await until(() => filesIn(dataDir).length === 0);
      await until(() => String([workers(), spareFiles()]) === String(before));
    },
  };
}

const withConfig = (config: Partial<ServiceInput['config']>) => (input: ServiceInput) => ({
  ...input,
  config: { ...input.config, ...config },
});

const taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
afterAll(() => taken.stop(true));
const NO_CERTIFICATE = { cert: 'none', key: 'none', startsAt: 0, endsAt: 0 };
const DYING = entryOf('throw new Error("at once")');
const ONE_REFUSING = entryOf(`import { mkdirSync } from 'node:fs';
import '${STORAGE.pathname}';
try {
  mkdirSync(new URL('./first', import.meta.url));
  self.onmessage = () => self.postMessage({ fault: 'no database here' });
} catch {}`);

test.each([
  ['both storage threads die', 'a storage thread died', starting(undefined, DYING)],
  [
    'one storage thread of two cannot open the database',
    'no database here',
    starting(undefined, ONE_REFUSING),
  ],
  [
    "Stripe's client cannot be made",
    'URL',
    starting(withConfig({ stripeSecretKey: 'sk_test_x', stripeApiBase: 'nowhere' })),
  ],
  ['the port is in use', `:${taken.port}`, starting(withConfig({ port: taken.port as number }))],
  [
    'the certificate is invalid',
    'cannot listen',
    starting((input) => ({ ...input, certificate: NO_CERTIFICATE })),
  ],
])('a start fails when %s, and leaves no lock, thread or open file', async (_, message, service) => {
  await expect(service.start()).rejects.toThrow(message);
  await service.expectNothingLeft();
});

test('a start with a damaged database leaves no lock', async () => {
  const service = starting();
  writeFileSync(databasePath(service.dataDir), 'x'.repeat(8_192), { mode: 0o600 });
  await expect(service.start()).rejects.toThrow();
  await service.expectNothingLeft();
});

test('a stopped service leaves no lock, thread or open file', async () => {
  const service = starting();
  const { stop, url } = await service.start();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await stop();
  await service.expectNothingLeft();
});
