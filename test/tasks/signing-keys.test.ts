import { afterEach, expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issuerKeyState } from '../../src/domain/credential/issuer-keys.ts';
import { refuse } from '../../src/domain/refusal.ts';
import { publishedKeys, readPublishedKeys } from '../../src/domain/signing/published-keys.ts';
import { KEY_PURPOSES, type KeyPurpose, PURPOSES } from '../../src/domain/signing/purposes.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { revokeSigningKey, rotateSigningKey } from '../../src/operator/signing-keys.ts';
import { prepareBatches } from '../../src/storage/changes.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { createGroupWriter } from '../../src/storage/engine/writer.ts';
import { readSigningKeys, signingKeyFiles } from '../../src/storage/signing/signing-keys.ts';
import { openSigningKeys, type SigningKeyParts } from '../../src/tasks/signing-keys.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock } from '../support/payments.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const engine = engineOf(import.meta);
const DAY_MS = 86_400_000;

const opened: Database[] = [];
afterEach(async () => {
  for (const db of opened.splice(0)) await disconnect(db);
});

/** The keys of one installation across any number of starts and nodes. */
async function installation() {
  const db = await engine.open();
  opened.push(db);
  const run = prepareBatches(db);
  const clock = new HeldClock();
  const logged: string[] = [];
  const note = (message: string, fields?: object) => void logged.push(message + JSON.stringify(fields));
  const log: Log = { ...silentLog, warn: note, error: note };
  const read = readSigningKeys(db);
  const ofPurpose = async (purpose: KeyPurpose) => (await read()).filter((key) => key.purpose === purpose);
  const node = (isAlone: boolean, keysDir = temporaryDirectory()) => {
    const filesOf = (purpose: KeyPurpose) => signingKeyFiles(keysDir, purpose);
    const writer = createGroupWriter({ commit: run, onFault: note });
    const parts: SigningKeyParts = { isAlone, clock, log, read, filesOf, writer };
    const act = () => ({ actor: 'cli:alice', now: clock.now() }) as const;
    const doing = async (plan: ReturnType<typeof rotateSigningKey>) => {
      if ('refused' in plan) throw new Error(plan.refused);
      await run(plan.jobs);
      clock.ms += 1;
      return plan.key?.kid ?? '';
    };
    return {
      filesOf,
      pathOf: (name: string) => join(keysDir, 'signing', name),
      names: () => readdirSync(join(keysDir, 'signing')).sort(),
      start: async (change: Partial<SigningKeyParts> = {}) => {
        const keys = await openSigningKeys({ ...parts, ...change });
        clock.ms += 1;
        return keys;
      },
      rotate: async (purpose: KeyPurpose, atOnce = false) =>
        doing(rotateSigningKey(purpose, await ofPurpose(purpose), filesOf(purpose), { atOnce }, act())),
      async revoke(purpose: KeyPurpose, kid: string) {
        const files = filesOf(purpose);
        const made = await doing(revokeSigningKey(purpose, await ofPurpose(purpose), files, kid, act()));
        files.mark(kid);
        return made;
      },
    };
  };
  return {
    clock,
    logged,
    node,
    forget: (sql: string) => execute(db, sql),
    published: async () =>
      publishedKeys({ credential: [], evidence: undefined, signing: await read() }, clock.now()),
    states: async (purpose: KeyPurpose) => {
      const keys = await ofPurpose(purpose);
      return Object.fromEntries(keys.map((key) => [key.kid, issuerKeyState(key, keys, clock.now())]));
    },
  };
}

test('the first start creates a key for each purpose, and every later start finds it', async () => {
  const { node, logged, published } = await installation();
  const { start, names } = node(true);
  const [first, second] = [await start(), await start()];
  const made = await Promise.all(KEY_PURPOSES.map((purpose) => first.signer(purpose)));
  const [reply, license] = made;
  expect((await second.signer('reply'))?.kid).toBe(reply?.kid ?? 'none');
  expect(names()).toEqual(KEY_PURPOSES.map((purpose, at) => `${purpose}-${made[at]?.kid}.pem`).toSorted());
  expect((await published()).map(({ purpose }) => purpose)).toEqual([...KEY_PURPOSES]);
  expect((await published()).slice(0, 2)).toMatchObject([
    { purpose: 'reply', kid: reply?.kid, alg: 'Ed25519', public_key: reply?.publicKey, state: 'active' },
    { purpose: 'license', kid: license?.kid, not_after: null },
  ]);
  expect(reply?.kid).toMatch(/^[0-9a-f]{16}$/);
  expect(logged).toEqual([]);
});

test('a key is published before it signs, and until its last signature is no longer valid', async () => {
  const { node, clock, states, published } = await installation();
  const { start, rotate } = node(true);
  const keys = await start();
  const old = (await keys.signer('license'))?.kid ?? '';
  const next = await rotate('license');
  expect([await states('license'), (await keys.signer('license'))?.kid]).toEqual([
    { [old]: 'active', [next]: 'next' },
    old,
  ]);
  clock.ms += DAY_MS;
  expect([await states('license'), (await keys.signer('license'))?.kid]).toEqual([
    { [old]: 'retired', [next]: 'active' },
    next,
  ]);
  const retired = (await published()).find(({ kid }) => kid === old);
  expect(Date.parse(retired?.not_after ?? '') - clock.now()).toBeWithin(365 * DAY_MS, 366 * DAY_MS + 1);
  clock.ms += 366 * DAY_MS;
  expect((await published()).map(({ kid }) => kid)).not.toContain(old);
});

test('a revoked key never signs again and stays revoked when an older database is restored', async () => {
  const { node, published, forget, states } = await installation();
  const { start, revoke, filesOf } = node(true);
  const keys = await start();
  const stolen = (await keys.signer('license'))?.kid ?? '';
  const made = await revoke('license', stolen);
  expect((await keys.signer('license'))?.kid).toBe(made);
  const response = JSON.stringify({ keys: await published() });
  expect(readPublishedKeys(response, 'license')?.map(({ kid, isRevoked }) => [kid, isRevoked])).toEqual([
    [stolen, true],
    [made, false],
  ]);
  expect([filesOf('license').kept(), filesOf('license').marked()]).toEqual([[made], [stolen]]);

  await forget(`delete from signing_keys where kid = '${made}'; update signing_keys set revoked_at = null`);
  await start();
  expect(await states('license')).toMatchObject({ [stolen]: 'revoked', [made]: 'active' });
});

test('a private key that cannot be used is logged, and another key signs', async () => {
  const { node, logged, states } = await installation();
  const { start, pathOf } = node(true);
  const lost = (await (await start()).signer('reply'))?.kid ?? '';
  writeFileSync(pathOf(`reply-${lost}.pem`), 'no key', { mode: 0o600 });
  const found = (await (await start()).signer('reply'))?.kid ?? '';
  expect(await states('reply')).toEqual({ [lost]: 'retired', [found]: 'active' });
  expect(logged).toEqual([expect.stringMatching(new RegExp(`cannot be used.*${lost}`))]);
});

test('a node without the private key does not sign, logs that once, and signs after a copy', async () => {
  const { node, logged, published } = await installation();
  const [one, other] = [node(false), node(false)];
  const key = await (await one.start()).signer('reply');
  const keys = await other.start();
  expect([await keys.signer('reply'), await keys.signer('reply')]).toEqual([undefined, undefined]);
  expect(existsSync(other.pathOf(''))).toBe(false);
  const complaints = logged.filter((line) => line.includes('Copy signing/'));
  const expected = KEY_PURPOSES.map((purpose) => expect.stringContaining(`signs ${PURPOSES[purpose].signs}`));
  expect(complaints).toEqual(expected);
  expect((await published()).length).toBe(KEY_PURPOSES.length);
  other.filesOf('reply').make();
  const { privateKey } = one.filesOf('reply').read(key?.kid ?? '');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(other.pathOf(`reply-${key?.kid}.pem`), pem, { mode: 0o600 });
  expect((await keys.signer('reply'))?.kid).toBe(key?.kid ?? '');
});

test('of several nodes that start together, one creates the keys, and the others leave no files', async () => {
  const { node, published } = await installation();
  const nodes = Array.from({ length: 3 }, () => node(false));
  for (const each of nodes) await each.start();
  expect((await published()).map(({ purpose }) => purpose)).toEqual([...KEY_PURPOSES]);
  const files = nodes.flatMap(({ pathOf }) => (existsSync(pathOf('')) ? readdirSync(pathOf('')) : []));
  expect(files.length).toBe(KEY_PURPOSES.length);
});

test('a key that the database refuses leaves no private key file, and the next start retries', async () => {
  const { node, logged, published } = await installation();
  const { start, names } = node(true);
  const full = { write: async () => refuse('STORE_UNAVAILABLE', 'The disk is full.') };
  const broken = await start({ writer: full as unknown as SigningKeyParts['writer'] });
  expect([await broken.signer('reply'), names()]).toEqual([undefined, []]);
  expect(logged.map((line) => line.includes('The disk is full.'))).toEqual(KEY_PURPOSES.map(() => true));
  await start();
  expect([(await published()).length, names().length]).toEqual([KEY_PURPOSES.length, KEY_PURPOSES.length]);
});
