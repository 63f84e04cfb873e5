import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, silentLog } from '../../src/lib/log.ts';
import { Turns } from '../../src/lib/turns.ts';
import { createReload } from '../../src/server/reload.ts';
import { loadInput, type ServiceInput } from '../../src/settings/service-input.ts';
import { until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('reloads run one after another; a failed one delays none, and reveals no unexpected error message', async () => {
  const applied: PromiseWithResolvers<void>[] = [];
  const [lines, told]: [string[], string[]] = [[], []];
  const state = { hasLastFailed: false };
  const reload = createReload({
    environment: {},
    initial: loadInput({}),
    apply() {
      const next = Promise.withResolvers<void>();
      applied.push(next);
      return next.promise;
    },
    state,
    log: createLog({ level: 'info', json: true, write: (text) => lines.push(text) }),
    turns: new Turns(),
    tell: (outcome) => told.push(outcome),
  });
  const outcomes = [reload(), reload()];
  await until(() => applied.length === 1);
  applied[0]?.reject(new TypeError('sk_live_sentinel'));
  expect(await outcomes[0]).toEqual({ reloaded: false, reason: 'TypeError' });
  expect([state.hasLastFailed, told]).toEqual([
    true,
    ['reload failed, the previous settings remain in effect: TypeError'],
  ]);
  expect(lines.join('')).toContain('reload.test.ts');
  expect(lines.join('')).not.toContain('sentinel');
  await until(() => applied.length === 2);
  applied[1]?.resolve();
  expect(await outcomes[1]).toEqual({ reloaded: true, needRestart: [] });
  expect(state.hasLastFailed).toBe(false);
});

test('credentials are those that were provided and used last, and those of the previous start', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'key');
  writeFileSync(path, 'sk_test_start');
  const environment = { CREDENTIALS_DIRECTORY: directory, SERVICE_STRIPE_SECRET_KEY_FILE: path };
  const initial = loadInput(environment);
  const taken: (string | undefined)[] = [];
  const apply = async ({ config }: ServiceInput) => void taken.push(config.stripeSecretKey);
  const parts = { environment, initial, apply, state: { hasLastFailed: false }, turns: new Turns() };
  const reload = createReload({ ...parts, log: silentLog, tell: () => {} });
  for (const key of [undefined, 'sk_test_new', undefined, 'none', undefined])
    await reload(key ? { key } : undefined);
  expect(taken).toEqual(['sk_test_start', 'sk_test_new', 'sk_test_new', 'sk_test_new']);
});
