import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { readVerdictTally } from '../../../src/storage/analyses/verdicts.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

const NOW = Date.UTC(2026, 10, 21, 23, 59);

let db: Database;

beforeEach(async () => {
  db = await engine.open();
  for (const id of [1, 2]) {
    await execute(
      db,
      `insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed,
      modules_denied, holds, created_at) values (${id}, 'h${id}', 'p', 'l', 'paid', 'live', 'pro', '[]', '[]', '[]', 0)`,
    );
  }
});
afterEach(() => disconnect(db));

test('a verdict counts once, with any number of categories, for its own license only', async () => {
  const { recordVerdicts } = prepareJobs(db);
  await recordVerdicts({
    licenseId: 1,
    verdicts: [{ verdict: 'malicious', categories: ['web_shell', 'obfuscation'] }],
    now: NOW,
  });
  await recordVerdicts({
    licenseId: 1,
    verdicts: [{ verdict: 'malicious', categories: ['web_shell', 'web_shell'] }],
    now: NOW + DAY_MS,
  });
  await recordVerdicts({ licenseId: 1, verdicts: [{ verdict: 'clean', categories: [] }], now: NOW });
  expect(await readVerdictTally(db)(1)).toEqual({ malicious: 2, suspicious: 0, clean: 1 });
  expect(await readVerdictTally(db)(2)).toEqual({ malicious: 0, suspicious: 0, clean: 0 });
});

test('verdicts of one batch are counted together, each with its categories', async () => {
  const { recordVerdicts } = prepareJobs(db);
  const [shell, mailer] = [
    ['web_shell', 'obfuscation'],
    ['web_shell', 'mailer'],
  ];
  const verdicts = [
    ...[shell, mailer].map((categories) => ({ verdict: 'malicious' as const, categories })),
    { verdict: 'clean' as const, categories: [] },
  ];
  for (let again = 0; again < 2; again++) await recordVerdicts({ licenseId: 1, verdicts, now: NOW });
  expect(await readVerdictTally(db)(1)).toEqual({ malicious: 4, suspicious: 0, clean: 2 });
  const counted = prepare<{ category: string; given: number }>(
    db,
    "select category, given from verdict_counts where verdict = 'malicious' order by category",
  );
  expect(await counted.all()).toEqual([
    { category: '', given: 4 },
    { category: 'mailer', given: 2 },
    { category: 'obfuscation', given: 2 },
    { category: 'web_shell', given: 4 },
  ]);
});

test('counts are deleted by whole UTC days', async () => {
  const { recordVerdicts, forgetVerdicts } = prepareJobs(db);
  await recordVerdicts({ licenseId: 1, verdicts: [{ verdict: 'clean', categories: [] }], now: NOW });
  await recordVerdicts({ licenseId: 1, verdicts: [{ verdict: 'clean', categories: [] }], now: NOW + DAY_MS });
  await forgetVerdicts({ before: NOW + DAY_MS });
  expect((await readVerdictTally(db)(1)).clean).toBe(1);
});
