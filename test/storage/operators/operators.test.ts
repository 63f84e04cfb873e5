import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
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

const EVER = { startedAfter: 0, now: 1 };
const begin = (operatorId: number, now: number, awaitsCode = false) =>
  jobs.startSession({
    operatorId,
    tokenHash: `${operatorId} ${awaitsCode} ${now}`,
    passwordHash: 'hash',
    awaitsCode,
    now,
  });

test('an operator has twenty sessions, the oldest makes room, and others keep theirs', async () => {
  const { findSession } = readOperators(db);
  await begin(2, 1);
  for (let now = 1; now <= 21; now += 1) await begin(1, now);
  const found = (name: string) => findSession(name, EVER);
  expect(await found('1 false 1')).toBeUndefined();
  for (const name of ['1 false 2', '1 false 21', '2 false 1'])
    expect((await found(name))?.operator.id).toBe(Number(name[0]));
});

test('of those that wait for a code twenty are kept apart: the password alone ends no session', async () => {
  await begin(1, 1);
  await prepare(db, 'update operators set totp_confirmed_at = 1').run();
  for (let now = 1; now <= 21; now += 1) await begin(1, now, true);
  const { findSession, findWaiting } = readOperators(db);
  expect((await findSession('1 false 1', EVER))?.operator.id).toBe(1);
  expect([await findWaiting('1 true 1', EVER), (await findWaiting('1 true 2', EVER))?.operator.id]).toEqual([
    undefined,
    1,
  ]);
});

describe('an identity', () => {
  const EVE = { oidcIssuer: 'https://id.example', oidcSubject: 'eve' };
  const session = { ...EVE, tokenHash: 'eve 1', confirmedAt: 5, endsAt: 20, now: 10 };
  beforeEach(() => jobs.addIdentity({ ...EVE, name: 'eve', role: 'support', createdAt: 1 }));

  test('is one of an issuer and a subject together, and belongs to one operator', async () => {
    const { findByIdentity } = readOperators(db);
    expect(await findByIdentity(EVE)).toMatchObject({ name: 'eve', role: 'support', hasPassword: false });
    for (const other of [{ oidcIssuer: 'https://other.example' }, { oidcSubject: 'ada' }])
      expect(await findByIdentity({ ...EVE, ...other })).toBeUndefined();
    const again = jobs.addIdentity({ ...EVE, name: 'mallory', role: 'owner', createdAt: 1 });
    await expect(again).rejects.toThrow();
  });

  test('has sessions that end when they are to', async () => {
    expect(await jobs.startIdentitySession(session)).toBeUndefined();
    const { findSession } = readOperators(db);
    const at = (now: number) => findSession('eve 1', { startedAfter: 0, now });
    expect([(await at(19))?.operator.name, await at(20)]).toEqual(['eve', undefined]);
    const required = { tokenHash: 'eve 1', startedAfter: 0, roles: ['support'] } as const;
    expect(await jobs.requireSession({ ...required, now: 20 })).toMatchObject({ refused: 'ROLE_REQUIRED' });
  });

  test('replaces its own session alone, and none that has ended', async () => {
    await begin(1, 1);
    await jobs.startIdentitySession(session);
    const next = { ...session, tokenHash: 'eve 2' };
    for (const replaces of ['1 false 1', 'eve 0'])
      expect(await jobs.startIdentitySession({ ...next, replaces })).toMatchObject({
        refused: 'ROLE_REQUIRED',
      });
    const { findSession } = readOperators(db);
    const found = async () =>
      [await findSession('eve 1', EVER), await findSession('eve 2', EVER)].map(Boolean);
    expect(await found()).toEqual([true, false]);
    expect(await jobs.startIdentitySession({ ...next, replaces: 'eve 1' })).toBeUndefined();
    expect(await found()).toEqual([false, true]);
  });

  test('starts no session while its operator is disabled', async () => {
    await jobs.setOperatorDisabled({ id: 3, disabledAt: 2 });
    expect(await jobs.startIdentitySession(session)).toMatchObject({ refused: 'ROLE_REQUIRED' });
    expect(await readOperators(db).sessionsOf(3, 0)).toEqual([]);
  });
});
