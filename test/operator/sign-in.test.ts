import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createIdentities } from '../../src/domain/identity.ts';
import { isRefusal } from '../../src/domain/refusal.ts';
import { createSignIn, type SignInParts } from '../../src/operator/sign-in.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import type { Jobs } from '../../src/storage/engine/jobs/jobs.ts';
import { prepare } from '../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { engineOf } from '../support/engines.ts';
import { quickHash } from '../support/quick-hash.ts';

const engine = engineOf(import.meta);
const MINUTE_MS = 60_000;
const ADA = {
  id: 1,
  name: 'ada',
  role: 'owner',
  hasSecondFactor: true,
  disabledAt: null,
  passwordHash: quickHash('right horse battery'),
};

let db: Database;
let jobs: Jobs;
let now = 1_800_000_000_000;
beforeEach(async () => {
  db = await engine.open();
  jobs = prepareJobs(db);
});
afterEach(() => disconnect(db));

/** One node, with its own client address and its limits. */
function node() {
  const known: Partial<SignInParts['operators']> = {
    findByName: async (name) => (name === 'ada' ? (ADA as never) : undefined),
  };
  // One after another, as the writer does.
  let last: Promise<unknown> = Promise.resolve();
  const write = (name: keyof Jobs, input: never) => {
    if (name === 'audit') return Promise.resolve(undefined);
    const done = last.then(() => (jobs[name] as (input: never) => Promise<unknown>)(input));
    last = done.catch(() => {});
    return done;
  };
  return createSignIn({
    operators: known as SignInParts['operators'],
    secondFactorOf: async () => undefined,
    identities: createIdentities(new Uint8Array(32)),
    desk: {
      do: async () => Promise.reject(new Error('nothing is to be done')),
    } as unknown as SignInParts['desk'],
    writer: { write } as unknown as SignInParts['writer'],
    clock: { now: () => now, monotonic: () => now },
    after: () => () => {},
  });
}
type Node = ReturnType<typeof node>;

const attempt = { password: 'wrong horse battery', hasSession: false, requestId: undefined };
const outcomeOf = (done: Promise<unknown>) =>
  done.then(
    () => 'done',
    (error: unknown) => (isRefusal(error) ? error.refused : Promise.reject(error)),
  );
const guess = (on: Node, name = 'ada', address = '192.0.2.1', hasSession = false) =>
  outcomeOf(on.signIn({ ...attempt, name, address, hasSession }));
const code = (on: Node) =>
  outcomeOf(
    on.withCode(ADA as never, '000000', { address: '192.0.2.9', requestId: undefined }, () => ({ jobs: [] })),
  );
const repeated = async (count: number, work: () => Promise<string>): Promise<string[]> => {
  const outcomes: string[] = [];
  for (let at = 0; at < count; at += 1) outcomes.push(await work());
  return outcomes;
};
const wrong = (count: number) => Array.from({ length: count }, () => 'UNAUTHORIZED');

test('concurrent attempts are all counted before any is checked', async () => {
  for (const address of ['192.0.2.1', '192.0.2.2']) {
    const one = node();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => guess(one, 'nobody', address)));
    expect(outcomes.filter((each) => each === 'RATE_LIMITED')).toHaveLength(3);
  }
});

test('failures count on every node: passwords by name and address, codes by name', async () => {
  const [one, other, third] = [node(), node(), node()];
  expect(await repeated(3, () => guess(one))).toEqual(wrong(3));
  expect(await repeated(2, () => guess(other))).toEqual(wrong(2));
  expect([await guess(one), await guess(other), await guess(third)]).toEqual(
    Array.from({ length: 3 }, () => 'RATE_LIMITED'),
  );
  // Neither another address nor another name is delayed.
  expect([await guess(third, 'ada', '192.0.2.2'), await guess(third, 'nobody')]).toEqual(wrong(2));
  // A session of that name is not delayed.
  expect(await guess(third, 'ada', '192.0.2.1', true)).toBe('UNAUTHORIZED');

  expect([...(await repeated(2, () => code(one))), ...(await repeated(3, () => code(other)))]).toEqual(
    wrong(5),
  );
  expect([await code(one), await code(third)]).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
});

test('a delay doubles with each failure after it, ends, and survives a restart', async () => {
  await repeated(5, () => guess(node()));
  expect(await guess(node())).toBe('RATE_LIMITED');
  now += 30_000;
  expect([await guess(node()), await guess(node())]).toEqual(['UNAUTHORIZED', 'RATE_LIMITED']);
  now += 30_000;
  expect(await guess(node())).toBe('RATE_LIMITED');
  now += 30_000;
  expect(await guess(node())).toBe('UNAUTHORIZED');
  now += 16 * MINUTE_MS;
  expect(await repeated(5, () => guess(node()))).toEqual(wrong(5));
});

test('a clock that ran ahead locks no one out once it is correct again', async () => {
  now += 400 * 24 * 60 * MINUTE_MS;
  await repeated(5, () => guess(node()));
  expect(await guess(node())).toBe('RATE_LIMITED');
  now -= 400 * 24 * 60 * MINUTE_MS;
  expect(await guess(node())).toBe('UNAUTHORIZED');
});

test('no input is stored, and the number of stored counters is limited', async () => {
  await guess(node(), 'a-password', '198.51.100.77');
  const stored = JSON.stringify(await prepare(db, 'select * from sign_in_tries').all());
  for (const typed of ['a-password', '198.51.100.77', 'ada']) expect(stored).not.toContain(typed);
  for (let at = 0; at < 1_010; at += 1)
    await jobs.countSignInTry({ place: `place ${at}`, kind: 'unknown', isExempt: false, now: now + at });
  await jobs.countSignInTry({ place: 'known', kind: 'known', isExempt: false, now });
  const kept = await prepare<{ kind: string; found: number }>(
    db,
    'select kind, count(*) as found from sign_in_tries group by kind order by kind',
  ).all();
  expect(kept.map(({ kind, found }) => [kind, Number(found)])).toEqual([
    ['known', 1],
    ['unknown', 1_000],
  ]);
});

test('a withdrawn attempt does not count, and a correct one resets the count', async () => {
  const place = { place: 'here' };
  const note = () => jobs.countSignInTry({ ...place, kind: 'known', isExempt: false, now });
  await repeated(4, async () => String(await note()));
  await note();
  await jobs.takeBackSignInTry(place);
  expect(await note()).toBe(0);
  expect(await note()).toBe(30_000);
  await jobs.forgetSignInTries(place);
  expect(await note()).toBe(0);
});
