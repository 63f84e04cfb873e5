import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Jobs } from '../../../src/storage/engine/jobs/jobs.ts';
import { prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { readOperators } from '../../../src/storage/operators/operators.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

let db: Database;
let jobs: Jobs;
beforeEach(async () => {
  db = await engine.open();
  jobs = prepareJobs(db);
  for (const [id, name] of [
    [1, 'ada'],
    [2, 'ben'],
  ] as const) {
    const linkHash = `link of ${name}`;
    await jobs.addOperator({ name, role: 'viewer', createdAt: 1, linkHash, linkExpiresAt: 9 });
    await jobs.setOperatorPassword({ id, passwordHash: 'hash', linkHash });
  }
});
afterEach(() => disconnect(db));

const begin = (operatorId: number, now: number, awaitsCode = false) =>
  jobs.startSession({
    ...{ operatorId, tokenHash: `${operatorId} ${awaitsCode} ${now}`, passwordHash: 'hash', awaitsCode, now },
  });

test('an operator has twenty sessions, the oldest makes room, and others keep theirs', async () => {
  const { findSession } = readOperators(db);
  await begin(2, 1);
  for (let now = 1; now <= 21; now += 1) await begin(1, now);
  const found = (name: string) => findSession(name, 0);
  expect(await found('1 false 1')).toBeUndefined();
  for (const name of ['1 false 2', '1 false 21', '2 false 1'])
    expect((await found(name))?.operator.id).toBe(Number(name[0]));
});

test('of those that wait for a code twenty are kept apart: the password alone ends no session', async () => {
  await begin(1, 1);
  await prepare(db, 'update operators set totp_confirmed_at = 1').run();
  for (let now = 1; now <= 21; now += 1) await begin(1, now, true);
  const { findSession, findWaiting } = readOperators(db);
  expect((await findSession('1 false 1', 0))?.operator.id).toBe(1);
  expect([await findWaiting('1 true 1', 0), (await findWaiting('1 true 2', 0))?.operator.id]).toEqual([
    undefined,
    1,
  ]);
});
