import { expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareBatches } from '../../../src/storage/changes.ts';
import { credentialKeyFiles } from '../../../src/storage/credentials/credential-key-files.ts';
import { readCredentialKeys } from '../../../src/storage/credentials/credential-keys.ts';
import { closeToOthers } from '../../../src/storage/engine/ownership.ts';
import { execute } from '../../../src/storage/engine/statement.ts';
import { readAudit } from '../../../src/storage/operators/audit.ts';
import { signingDirectory } from '../../../src/storage/signing/signing-directory.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';
import { newKey } from '../../support/signed.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const engine = engineOf(import.meta);

const by = { actor: 'cli:alice', reason: 'yearly' } as const;
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a private key file is accessible by its owner only, and reads as it was created', () => {
  const dataDir = temporaryDirectory();
  const files = credentialKeyFiles(dataDir);
  const { kid, jwk } = files.make();
  const path = join(dataDir, 'signing', `credential-${kid}.pem`);
  expect([modeOf(join(dataDir, 'signing')), modeOf(path)]).toEqual([0o700, 0o600]);
  expect([files.kept(), files.read(kid)]).toMatchObject([[kid], { kid, jwk }]);
  files.make();
  expect(readdirSync(signingDirectory(dataDir))).toHaveLength(2);
});

test('a private key that others can use, has another name, or is missing is refused', () => {
  const dataDir = temporaryDirectory();
  const files = credentialKeyFiles(dataDir);
  const [{ kid }, other] = [files.make(), files.make()];
  const pathOf = (name: string) => join(signingDirectory(dataDir), `credential-${name}.pem`);
  for (const mode of [0o640, 0o620, 0o604, 0o602, 0o644]) {
    chmodSync(pathOf(kid), mode);
    expect(() => files.read(kid)).toThrow(
      `is open to other users of this host. Run chmod 600 ${pathOf(kid)}`,
    );
  }
  chmodSync(pathOf(kid), 0o600);
  renameSync(pathOf(other.kid), pathOf(kid));
  expect(() => files.read(kid)).toThrow('is damaged');
  expect(files.kept()).toEqual([kid]);
  expect(() => files.read(other.kid)).toThrow('cannot read');
  writeFileSync(pathOf(kid), 'no key');
  expect(() => files.read(kid)).toThrow('is damaged');
});

test('a key marked as revoked has no private key file, also where it had none', () => {
  const dataDir = temporaryDirectory();
  const files = credentialKeyFiles(dataDir);
  expect([files.kept(), files.marked()]).toEqual([[], []]);
  const own = newKey().kid;
  const { kid } = files.make();
  for (const each of [own, kid, kid]) files.mark(each);
  expect([files.kept(), files.marked().toSorted()]).toEqual([[], [own, kid].sort()]);
  expect(modeOf(join(dataDir, 'signing', `credential-${own}.revoked`))).toBe(0o600);
});

test('a start closes the directory of keys, and its files, to others', () => {
  const dataDir = temporaryDirectory();
  const directory = join(dataDir, 'signing');
  mkdirSync(join(directory, 'theirs'), { recursive: true });
  const paths = [directory, join(directory, 'credential-x.pem'), join(directory, 'evidence.pem')];
  for (const path of paths.slice(1)) writeFileSync(path, '');
  for (const path of paths) chmodSync(path, 0o755);
  expect(closeToOthers(dataDir).sort()).toEqual(paths);
  expect(paths.map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  expect(closeToOthers(dataDir)).toEqual([]);
});

test('the facts of a key are stored with their actors', async () => {
  const db = await engine.open();
  const run = prepareBatches(db);
  const { kid, jwk } = newKey();
  const add = { kid, jwk, activeFrom: 20, now: 10, by };
  await run([{ name: 'addCredentialKey', input: add }]);
  const known = { kid, jwk, createdAt: 10, activeFrom: 20, revokedAt: null, lastExpiresAt: null };
  expect(await readCredentialKeys(db)()).toEqual([known]);
  await run([
    { name: 'addCredentialKey', input: { ...add, activeFrom: 12, now: 11 } },
    { name: 'revokeCredentialKey', input: { kid, now: 30, by } },
  ]);
  await addTwoTenants(db);
  await execute(
    db,
    `insert into status_lists (id, issuer, created_at) values (1, 'i', 0);
    insert into credentials (public_id, license_id, type, basis, kid, list_id, list_index, token, issued_at, expires_at)
    values ('a', 1, 'license', 'x', '${kid}', 1, 1, '', 0, 50), ('b', 1, 'license', 'y', '${kid}', 1, 2, '', 0, 40)`,
  );
  expect(await readCredentialKeys(db)()).toEqual([
    { ...known, activeFrom: 12, revokedAt: 30, lastExpiresAt: 50 },
  ]);
  const later = newKey();
  await run([{ name: 'addCredentialKey', input: { ...later, activeFrom: 90, now: 80, by } }]);
  const last = newKey();
  await run([{ name: 'addCredentialKey', input: { ...last, activeFrom: 90, now: 90, by } }]);
  await run([{ name: 'addCredentialKey', input: { ...last, activeFrom: 50, isLast: true, now: 91, by } }]);
  const moments = new Map((await readCredentialKeys(db)()).map((key) => [key.kid, key.activeFrom]));
  expect([kid, later.kid, last.kid].map((name) => moments.get(name))).toEqual([12, 49, 50]);
  const entries = await readAudit(db, { subject: kid, limit: 9 });
  expect(entries.map(({ at, actor, action, reason }) => [at, actor, action, reason])).toEqual([
    [30, by.actor, 'credential-key.revoke', by.reason],
    [11, by.actor, 'credential-key.add', by.reason],
    [10, by.actor, 'credential-key.add', by.reason],
  ]);
});
