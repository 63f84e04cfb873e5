import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issuerKeyState } from '../../src/domain/credential/issuer-keys.ts';
import { refuse } from '../../src/domain/refusal.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { revokeCredentialKey, rotateCredentialKey } from '../../src/operator/credential-keys.ts';
import { prepareBatches } from '../../src/storage/changes.ts';
import { credentialKeyFiles } from '../../src/storage/credentials/credential-key-files.ts';
import { readCredentialKeys } from '../../src/storage/credentials/credential-keys.ts';
import { DataDirectoryUnusable } from '../../src/storage/engine/data-directory.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { createGroupWriter } from '../../src/storage/engine/writer.ts';
import { signingDirectory } from '../../src/storage/signing/signing-directory.ts';
import { type CredentialKeyParts, openCredentialKeys } from '../../src/tasks/credential-keys.ts';
import { engineOf } from '../support/engines.ts';
import { HeldClock } from '../support/payments.ts';
import { newKey } from '../support/signed.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const engine = engineOf(import.meta);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const opened: Database[] = [];
afterEach(async () => {
  for (const db of opened.splice(0)) await disconnect(db);
});

/** The keys of one installation across any number of starts. */
async function installation() {
  const db = await engine.open();
  opened.push(db);
  const run = prepareBatches(db);
  const dataDir = temporaryDirectory();
  const clock = new HeldClock();
  const files = credentialKeyFiles(dataDir);
  const logged: string[] = [];
  const note = (message: string, fields?: object) => void logged.push(message + JSON.stringify(fields));
  const log: Log = { ...silentLog, warn: note, error: note };
  const parts: CredentialKeyParts = {
    clock,
    log,
    files,
    isAlone: true,
    baseUrl: 'https://licenses.example',
    ownKey: undefined,
    read: readCredentialKeys(db),
    writer: createGroupWriter({ commit: run, onFault: note }),
  };
  // Two events never share a moment.
  const tick = () => {
    clock.ms += 1;
  };
  const act = () => ({ actor: 'cli:alice', now: clock.now() }) as const;
  const making = (hasOwnKey: boolean) => ({ make: files.make, hasOwnKey });
  const doing = async (plan: ReturnType<typeof rotateCredentialKey>) => {
    if ('refused' in plan) throw new Error(plan.refused);
    await run(plan.jobs);
    tick();
    return plan;
  };
  return {
    clock,
    files,
    logged,
    parts,
    pathOf: (kid = '', kind = 'pem') => join(signingDirectory(dataDir), `credential-${kid}.${kind}`),
    filesKept: () => readdirSync(signingDirectory(dataDir)),
    /** Restores an older state of the database. */
    forget: async (sql: string) => execute(db, sql),
    async start(change: Partial<CredentialKeyParts> = {}) {
      const keys = await openCredentialKeys({ ...parts, ...change });
      tick();
      return keys;
    },
    rotate: async (atOnce = false, hasOwnKey = false) =>
      doing(rotateCredentialKey(await parts.read(), making(hasOwnKey), { atOnce }, act())),
    async revoke(kid: string, hasOwnKey = false) {
      const done = await doing(revokeCredentialKey(await parts.read(), making(hasOwnKey), kid, act()));
      files.mark(kid);
      return done;
    },
    async states() {
      const keys = await parts.read();
      return keys.map((key) => issuerKeyState(key, keys, clock.now()));
    },
  };
}

test('the first start creates a key, and every later start finds it', async () => {
  const { start, logged, parts } = await installation();
  const first = await (await start()).active();
  const second = await (await start()).active();
  expect(first?.kid).toBe((await parts.read())[0]?.kid ?? 'none');
  expect(second?.kid).toBe(first?.kid ?? 'none');
  expect(logged).toEqual([]);
});

test.each(['http://licenses.example', undefined])(
  'no key is created and none signs at %p',
  async (baseUrl) => {
    const { start, parts } = await installation();
    const keys = await start({ baseUrl });
    expect([await keys.active(), await keys.all(), await parts.read()]).toEqual([undefined, [], []]);
  },
);

const BROKEN: [string, (path: string) => void][] = [
  ['missing', () => {}],
  ['damaged', (path) => writeFileSync(path, 'no key', { mode: 0o600 })],
  ['readable by others', (path) => writeFileSync(path, '', { mode: 0o644 })],
  ['a directory', (path) => mkdirSync(path, { mode: 0o700 })],
];

describe.each(BROKEN)('a private key file that is %s', (_, spoil) => {
  test('is logged at a start, and another key signs from then on', async () => {
    const { start, logged, pathOf, states } = await installation();
    const lost = await (await start()).active();
    rmSync(pathOf(lost?.kid));
    spoil(pathOf(lost?.kid));
    const keys = await start();
    const found = await keys.active();
    expect([found?.kid === lost?.kid, keys.canSign()]).toEqual([false, true]);
    expect(logged).toEqual([expect.stringMatching(new RegExp(`cannot be used.*${lost?.kid}`))]);
    expect((await (await start()).active())?.kid).toBe(found?.kid ?? '');
    expect((await states()).sort()).toEqual(['active', 'retired']);
  });

  test('is replaced once in a running server, even when many requests need it at the same time', async () => {
    const { start, clock, logged, pathOf, rotate, parts } = await installation();
    const keys = await start();
    const { key: next } = await rotate();
    rmSync(pathOf(next?.kid));
    spoil(pathOf(next?.kid));
    clock.ms = next?.activeFrom ?? 0;
    const found = await Promise.all(Array.from({ length: 8 }, () => keys.active()));
    expect(new Set(found.map((key) => key?.kid)).size).toBe(1);
    expect((await keys.active())?.kid).toBe(found[0]?.kid ?? '');
    expect(await parts.read()).toHaveLength(3);
    expect(logged).toEqual([expect.stringContaining(next?.kid ?? 'none')]);
  });
});

test('a clock behind every key gets a new key, and the first one signs again afterwards', async () => {
  const { start, clock } = await installation();
  const keys = await start();
  const first = await keys.active();
  clock.ms -= DAY_MS;
  const meanwhile = await keys.active();
  expect([meanwhile === undefined, meanwhile?.kid === first?.kid]).toEqual([false, false]);
  clock.ms += DAY_MS;
  expect((await keys.active())?.kid).toBe(first?.kid ?? '');
});

test('a rotated key is published a day before it signs, also in a running server', async () => {
  const { start, clock, rotate } = await installation();
  const keys = await start();
  const old = await keys.active();
  const { key: next } = await rotate();
  const kids = async () => (await keys.published()).map(({ kid }) => kid);
  clock.ms += DAY_MS - 2;
  expect((await keys.active())?.kid).toBe(old?.kid ?? '');
  expect(await kids()).toEqual([old?.kid ?? '', next?.kid ?? '']);
  clock.ms += 1;
  expect((await keys.active())?.kid).toBe(next?.kid ?? '');
  expect(await kids()).toEqual([old?.kid ?? '', next?.kid ?? '']);
  clock.ms += 7 * DAY_MS;
  expect(await kids()).toEqual([next?.kid ?? '']);
});

test('a second rotation changes nothing, unless it takes effect immediately', async () => {
  const { start, rotate, states, parts } = await installation();
  await start();
  const { key: next } = await rotate();
  expect(await rotate()).toMatchObject({ jobs: [], key: { kid: next?.kid } });
  expect(await states()).toContain('next');
  expect((await rotate(true)).key?.kid).toBe(next?.kid ?? '');
  expect((await states()).sort()).toEqual(['active', 'retired']);
  await rotate(true);
  expect(await parts.read()).toHaveLength(3);
});

test('a revoked key is no longer published, and the next or a new key signs immediately', async () => {
  const { start, rotate, revoke, states, clock } = await installation();
  const keys = await start();
  const first = (await keys.active())?.kid ?? '';
  const { key: next } = await rotate();
  clock.ms += HOUR_MS;
  await revoke(first);
  expect((await keys.active())?.kid).toBe(next?.kid ?? '');
  expect((await keys.published()).map(({ kid }) => kid)).toEqual([next?.kid ?? '']);
  const { key: made } = await revoke(next?.kid ?? '');
  expect((await keys.active())?.kid).toBe(made?.kid ?? '');
  expect((await states()).sort()).toEqual(['active', 'revoked', 'revoked']);
  expect(await revoke(first)).toMatchObject({ jobs: [], key: null });
  expect(await keys.all()).toHaveLength(3);
  await expect(revoke('other')).rejects.toThrow('no such key');
});

test("the operator's own key signs instead of any other and is not changed by the service", async () => {
  const { start, rotate, clock, states } = await installation();
  await start();
  await rotate();
  const ownKey = newKey();
  const keys = await start({ ownKey });
  expect((await keys.active())?.kid).toBe(ownKey.kid);
  expect((await states()).sort()).toEqual(['active', 'retired', 'retired']);
  await rotate();
  await keys.active();
  expect(await states()).not.toContain('next');
  clock.ms += 2 * DAY_MS;
  expect((await keys.active())?.kid).toBe(ownKey.kid);
  clock.ms += 8 * DAY_MS;
  expect((await keys.published()).map(({ kid }) => kid)).toEqual([ownKey.kid]);
  await expect(rotate(false, true)).rejects.toThrow(/SERVICE_SIGNING_KEY_FILE.*restart or reload/);
});

test("after the operator's own key is revoked, the service signs with a key that it creates", async () => {
  const { start, revoke, clock, logged, pathOf, forget } = await installation();
  const ownKey = newKey();
  const keys = await start({ ownKey });
  const { notices, key: made } = await revoke(ownKey.kid, true);
  expect(notices).toContainEqual(
    expect.stringMatching(/restart or reload the service; until then, the service signs/),
  );
  expect((await keys.active())?.kid).toBe(made?.kid ?? '');
  expect((await (await start({ ownKey })).active())?.kid).toBe(made?.kid ?? '');
  expect(logged).toEqual([expect.stringContaining('is revoked')]);
  expect(existsSync(pathOf(ownKey.kid, 'revoked'))).toBe(true);
  await forget('delete from credential_keys');
  clock.ms += HOUR_MS;
  expect((await (await start({ ownKey })).active())?.kid).toBe(made?.kid ?? '');
  const other = newKey();
  expect((await (await start({ ownKey: other })).active())?.kid).toBe(other.kid);
});

test('keys created or revoked after a backup keep their state when it is restored', async () => {
  const { start, rotate, revoke, parts, logged, filesKept, forget, pathOf } = await installation();
  const lost = (await (await start()).active())?.kid ?? '';
  await revoke(lost);
  const { key: next } = await rotate();
  expect(filesKept()).not.toContain(`credential-${lost}.pem`);
  // The stolen key file returns as well.
  writeFileSync(pathOf(lost), 'no key', { mode: 0o600 });
  writeFileSync(pathOf('A'.repeat(43)), 'no key', { mode: 0o600 });
  await forget(
    `delete from credential_keys where kid <> '${lost}'; update credential_keys set revoked_at = null`,
  );
  const keys = await start();
  const found = await parts.read();
  expect(found.find(({ kid }) => kid === lost)?.revokedAt).not.toBeNull();
  expect(found.map(({ kid }) => kid)).toContain(next?.kid ?? '');
  expect(found).toHaveLength(3);
  expect(['', lost]).not.toContain((await keys.active())?.kid ?? '');
  expect(logged).toHaveLength(4);
  expect(filesKept()).not.toContain(`credential-${lost}.pem`);
  rmSync(pathOf(lost, 'revoked'));
  await start();
  expect(existsSync(pathOf(lost, 'revoked'))).toBe(true);
});

test('without storage for a key the service starts, logs it once, and creates a key later', async () => {
  const { start, logged, filesKept, parts } = await installation();
  let isFull = true;
  const full = async () => refuse('STORE_UNAVAILABLE', 'no room');
  const write: typeof parts.writer.write = (name, input) =>
    isFull ? full() : parts.writer.write(name, input);
  const keys = await start({ writer: { write } });
  expect([await keys.active(), keys.canSign(), filesKept()]).toEqual([undefined, false, []]);
  expect(logged).toEqual([expect.stringContaining('a key to sign credentials could not be stored')]);
  isFull = false;
  const made = await keys.active();
  expect([keys.canSign(), filesKept()]).toEqual([true, [`credential-${made?.kid}.pem`]]);
});

test('a key directory that cannot be written does not prevent a start', async () => {
  const { start } = await installation();
  const make = () => {
    throw new DataDirectoryUnusable('full');
  };
  const keys = await start({ files: { ...(await installation()).files, make } });
  expect([await keys.active(), keys.canSign()]).toEqual([undefined, false]);
});

test('rotation has nothing to do before the first key exists', async () => {
  await expect((await installation()).rotate()).rejects.toThrow('there is no signing key yet');
});
