import { beforeAll, expect, test } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  feedFile,
  kevCatalogue,
  wordfenceFeed,
  wordfenceRecord,
  wordfenceSoftware,
} from '../support/feeds.ts';
import { binary, run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const RECORDS = 3_000;
const KIB = 1_024;
/** Creates a record so long that the snapshot exceeds memory before it is complete. */
const REFERENCES = Array.from({ length: 10 }, (_, at) => `https://example.org/${at}/${'x'.repeat(330)}`);
const recordsOf = (count: number, patched: string) =>
  wordfenceFeed(
    ...Array.from({ length: count }, (_, at) =>
      wordfenceRecord({
        id: `record-${at}`,
        cve: `CVE-2026-${at + 10_000}`,
        software: [wordfenceSoftware({ slug: `plugin-${at}`, patched_versions: [patched] })],
        references: REFERENCES,
      }),
    ),
  );

let home: string;
let old: string;
let feed: string;
let later: string;
beforeAll(async () => {
  home = temporaryDirectory();
  feed = feedFile(recordsOf(RECORDS, '2.0.0'));
  later = feedFile(kevCatalogue());
  await redoubt(home, 'init');
  await redoubt(home, 'vulns', 'import', feedFile(recordsOf(50, '1.9.0')));
  old = await currentOf(home);
});

/** The output of a command, which has to succeed. */
async function redoubt(directory: string, ...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run('binary', { SERVICE_DATA_DIR: directory }, ...words);
  // On a slow machine it prints progress.
  const messages = stderr.replace(/^redoubt: (?:reading|joining) .*\n/gm, '');
  expect([words, exitCode, messages]).toEqual([words, 0, '']);
  return stdout;
}
const json = async (directory: string, ...words: string[]) =>
  JSON.parse(await redoubt(directory, 'vulns', ...words, '--json'));
const currentOf = async (directory: string) => (await json(directory, 'status')).snapshot_id;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? -1;
const snapshotsIn = (directory: string): string[] =>
  readdirSync(directory).filter((name) => /^vulnerabilities-[0-9a-f]+[.]sqlite$/.test(name));

/** Polls without a pause for the moment, because each lasts only a few milliseconds. */
type Moment = (directory: string) => boolean;
const partial = (directory: string) => sizeOf(join(directory, 'vulnerabilities.partial'));
const grownTo =
  (bytes: number): Moment =>
  (directory) =>
    partial(directory) >= bytes || isNamed(directory);
const isNamed: Moment = (directory) => snapshotsIn(directory).length > 1;
const wal = (directory: string) => sizeOf(join(directory, 'redoubt.sqlite-wal'));

const MOMENTS: readonly [string, Moment][] = [
  ['the database is open', (directory) => wal(directory) >= 0],
  ['the file is begun', (directory) => partial(directory) >= 0],
  ...[1, 64, 512, 1_024, 3_072, 5_120, 7_168, 9_216, 11_264].map((kib): [string, Moment] => [
    `the file has ${kib} KiB`,
    grownTo(kib * KIB),
  ]),
  ['the file has its name', isNamed],
  ['the change is being written', (directory) => isNamed(directory) && wal(directory) > 0],
];

/** Kills an import at a moment; returns whether it was killed before its end. */
async function importUntil(directory: string, moment: Moment, signal: NodeJS.Signals): Promise<boolean> {
  const env = { PATH: process.env.PATH ?? '', SERVICE_DATA_DIR: directory };
  const words = ['vulns', 'import', feed, '--force'];
  const child: ChildProcess = spawn(await binary(), words, { env, stdio: 'ignore' });
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      isOver = true;
      resolve();
    });
  });
  while (!isOver && !moment(directory)) await new Promise(setImmediate);
  child.kill(signal);
  await ended;
  return child.signalCode === signal;
}

const ENDS: readonly [NodeJS.Signals, string, Moment][] = [
  ...MOMENTS.map(([when, moment]) => ['SIGKILL', when, moment] as [NodeJS.Signals, string, Moment]),
  ['SIGINT', 'the file has 2 MiB', grownTo(2_048 * KIB)],
  ['SIGTERM', 'the file has 2 MiB', grownTo(2_048 * KIB)],
];
let killed = 0;

test.each(ENDS)(
  '%s when %s leaves the old data or all of the new, and no permanent files',
  async (signal, _, moment) => {
    const directory = temporaryDirectory();
    cpSync(home, directory, { recursive: true });
    killed += Number(await importUntil(directory, moment, signal));

    const { snapshot_id, sources } = await json(directory, 'status');
    const isOld = snapshot_id === old;
    const known = isOld ? { records: 50, fix: '1.9.0' } : { records: RECORDS, fix: '2.0.0' };
    expect(sources).toMatchObject([{ source: 'wordfence', records: known.records }]);
    const found = await json(directory, 'lookup', 'wordpress-plugin', `plugin-${known.records - 1}`, '1.2.3');
    expect(found.vulnerabilities).toMatchObject([
      { vulnerability_id: `CVE-2026-${9_999 + known.records}`, fixed_versions: [known.fix] },
    ]);

    const next = await json(directory, 'import', later);
    const stays = ['installation.key', 'redoubt.lock', 'redoubt.sqlite', 'vulnerabilities.lock'];
    const ids = new Set([old, snapshot_id, next.snapshot_id]);
    expect(readdirSync(directory).sort()).toEqual(
      [...stays, ...[...ids].map((id) => `vulnerabilities-${id}.sqlite`)].sort(),
    );
  },
);

test('these moments belong to an import that takes effect when it is not killed', async () => {
  expect(killed).toBeGreaterThanOrEqual(ENDS.length - 3);
  const directory = temporaryDirectory();
  cpSync(home, directory, { recursive: true });
  expect(await importUntil(directory, () => false, 'SIGKILL')).toBe(false);
  expect(await currentOf(directory)).not.toBe(old);
});
