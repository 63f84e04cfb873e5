import { beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseUnusable } from '../../../src/storage/engine/database.ts';
import { openSnapshot } from '../../../src/storage/mirror/open-snapshot.ts';
import { pruneSnapshots, verifySnapshot } from '../../../src/storage/mirror/snapshot-files.ts';
import { FEEDS_NOW, kevCatalogue, osvRecord } from '../../support/feeds.ts';
import { knownAs, type MadeSnapshot, makeSnapshot } from '../../support/snapshots.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let directory: string;
let snapshot: MadeSnapshot;
beforeEach(async () => {
  directory = temporaryDirectory();
  snapshot = await makeSnapshot(directory, [osvRecord()]);
});

test('a snapshot is accessible by its owner only, is named by its SHA-256, and never changes', async () => {
  const sha256 = () => createHash('sha256').update(readFileSync(snapshot.path)).digest('hex');
  const before = sha256();
  expect(basename(snapshot.path)).toBe(`vulnerabilities-${before.slice(0, 16)}.sqlite`);
  expect(statSync(snapshot.path).mode & 0o777).toBe(0o600);

  knownAs(snapshot, 'CVE-2026-1000');
  verifySnapshot(directory, snapshot.id);
  const next = await makeSnapshot(directory, [kevCatalogue()], { base: snapshot.id });
  expect(sha256()).toBe(before);
  expect(readdirSync(directory).sort()).toEqual([basename(snapshot.path), basename(next.path)].sort());
});

test('files of a killed process are not used, and no link is followed', async () => {
  const theirs = join(directory, 'theirs');
  writeFileSync(theirs, 'theirs');
  symlinkSync(theirs, join(directory, 'vulnerabilities.partial'));
  writeFileSync(join(directory, 'vulnerabilities.partial-journal'), 'left');
  const next = await makeSnapshot(directory, [osvRecord()], { nowMs: FEEDS_NOW + 1 });
  expect(readFileSync(theirs, 'utf8')).toBe('theirs');
  expect(readdirSync(directory).sort()).toEqual(
    ['theirs', basename(snapshot.path), basename(next.path)].sort(),
  );
});

test('pruning removes only snapshots that are not retained', async () => {
  const next = await makeSnapshot(directory, [kevCatalogue()], { base: snapshot.id });
  const others = ['redoubt.sqlite', 'vulnerabilities.lock', 'vulnerabilities-0123.sqlite', 'my.sqlite'];
  for (const other of others) writeFileSync(join(directory, other), '');
  pruneSnapshots(directory, [next.id, 'ffffffffffffffff']);
  expect(readdirSync(directory).sort()).toEqual([...others, basename(next.path)].sort());
  expect(knownAs(snapshot, 'CVE-2026-1000')?.id).toBe('CVE-2026-1000');
});

const overwrite = (path: string, at: number, bytes: string) => {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, at);
  closeSync(file);
};
const setVersion = (path: string) => {
  const client = new DatabaseSync(path);
  client.exec('PRAGMA user_version = 99');
  client.close();
};
const DAMAGES: readonly [string, (path: string) => void, opened: string, verified: string][] = [
  ['truncated', (path) => truncateSync(path, 8_192), 'is damaged', 'was changed'],
  ['emptied', (path) => truncateSync(path, 0), 'another version', 'was changed'],
  ['not a database', (path) => overwrite(path, 0, 'SQL-ite'), 'is damaged', 'was changed'],
  ['missing', (path) => rmSync(path), 'is missing', 'is missing'],
  ['of another version', setVersion, 'another version', 'was changed'],
];

describe.each(DAMAGES)('a snapshot that is %s', (_, damage, opened, verified) => {
  test('is refused with the remedy', () => {
    snapshot.close();
    damage(snapshot.path);
    const refusal = (use: () => unknown): string => {
      try {
        use();
      } catch (error) {
        if (error instanceof DatabaseUnusable) return error.message;
        throw error;
      }
      return 'taken';
    };
    const messages = [
      refusal(() => openSnapshot(snapshot.path, snapshot.id)),
      refusal(() => verifySnapshot(directory, snapshot.id)),
    ];
    expect(messages).toEqual([expect.stringContaining(opened), expect.stringContaining(verified)]);
    for (const words of messages)
      expect(words).toMatch(/^the vulnerability data in \S+\.sqlite .*\. Import the feeds again$/);
  });
});

test('a snapshot with one changed byte anywhere is not used for an import', () => {
  snapshot.close();
  const bytes = readFileSync(snapshot.path);
  for (const at of [100, bytes.length >> 1, bytes.length - 1]) {
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(snapshot.path, changed);
    expect(() => verifySnapshot(directory, snapshot.id)).toThrow('was changed');
  }
});
