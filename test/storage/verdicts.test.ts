import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/lib/clock.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/engine/jobs.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { readVerdictTally } from '../../src/storage/verdicts.ts';
import { engineOf } from '../support/engines.ts';

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

test('a verdict counts once however many categories it has, for its own license alone', async () => {
  const { recordVerdict } = prepareJobs(db);
  await recordVerdict({
    licenseId: 1,
    verdict: 'malicious',
    categories: ['web_shell', 'obfuscation'],
    now: NOW,
  });
  await recordVerdict({
    licenseId: 1,
    verdict: 'malicious',
    categories: ['web_shell', 'web_shell'],
    now: NOW + DAY_MS,
  });
  await recordVerdict({ licenseId: 1, verdict: 'clean', categories: [], now: NOW });
  expect(await readVerdictTally(db)(1)).toEqual({ malicious: 2, suspicious: 0, clean: 1 });
  expect(await readVerdictTally(db)(2)).toEqual({ malicious: 0, suspicious: 0, clean: 0 });
});

test('counts are forgotten by whole UTC days', async () => {
  const { recordVerdict, forgetVerdicts } = prepareJobs(db);
  await recordVerdict({ licenseId: 1, verdict: 'clean', categories: [], now: NOW });
  await recordVerdict({ licenseId: 1, verdict: 'clean', categories: [], now: NOW + DAY_MS });
  await forgetVerdicts({ before: NOW + DAY_MS });
  expect((await readVerdictTally(db)(1)).clean).toBe(1);
});
