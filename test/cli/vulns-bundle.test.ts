import { beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { feedFile, kevCatalogue, kevEntry, wordfenceFeed, wordfenceRecord } from '../support/feeds.ts';
import { run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const FEEDS = [wordfenceFeed(wordfenceRecord()), kevCatalogue([kevEntry({ cveID: 'CVE-2026-2000' })])];

const folder = temporaryDirectory();
const [keyFile, otherKeyFile, bundle] = ['own.key', 'other.key', 'feeds.bundle'].map((name) =>
  join(folder, name),
) as [string, string, string];
const directory = temporaryDirectory();

const redoubt = (...words: string[]) => run('binary', { SERVICE_DATA_DIR: directory }, ...words);
const create = async (path: string) =>
  (await redoubt('keys', 'create', '--purpose', 'mirror', '--out', path)).stdout.trim();
const pack = (out: string, ...words: string[]) =>
  redoubt('vulns', 'pack', '--key', keyFile, '--out', out, ...words, ...FEEDS.map(feedFile));
const importOf = (path: string, key: string) =>
  redoubt('vulns', 'import', path, '--bundle', '--key', key, '--json');

let [own, other] = ['', ''];
beforeAll(async () => {
  await redoubt('init');
  own = await create(keyFile);
  other = await create(otherKeyFile);
});

test('a bundle packed and signed on one host is imported with the public key, and leaves no other files', async () => {
  const packed = await pack(bundle);
  expect([packed.exitCode, packed.stderr]).toEqual([0, '']);
  expect(packed.stdout).toEndWith(`${bundle} is signed. Import it with the public key ${own}\n`);

  const { exitCode, stdout, stderr } = await importOf(bundle, own);
  expect([exitCode, stderr]).toEqual([0, '']);
  const { sources } = JSON.parse(stdout);
  expect(
    sources.map(({ source, records_after }: Record<string, unknown>) => [source, records_after]),
  ).toEqual([
    ['kev:cisa', 1],
    ['wordfence', 1],
  ]);
  expect(readdirSync(directory).filter((name) => name.includes('partial'))).toEqual([]);
  const found = await redoubt('vulns', 'lookup', 'wordpress-plugin', 'contact-us', '1.2.3', '--json');
  expect(JSON.parse(found.stdout).outcome).toBe('vulnerable');
});

test('verify reports whether a bundle is signed by a key, and leaves no files of it', async () => {
  const verify = (...words: string[]) => redoubt('verify', ...words);
  const { exitCode, stdout } = await verify(bundle, '--key', own, '--json');
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([
    0,
    { sound: true, signed_by: own, sources: ['wordfence', 'kev:cisa'] },
  ]);
  for (const [words, sentence] of [
    [[bundle], 'Name the key that must have signed it'],
    [[bundle, '--key', other], 'It is not signed by the key redoubt/mirror'],
  ] as const) {
    const refused = await verify(...words);
    expect([refused.exitCode, refused.stdout, refused.stderr]).toEqual([
      1,
      '',
      expect.stringContaining(sentence),
    ]);
  }
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('redoubt-verify-'))).toEqual([]);
});

test('a bundle of another signer, or a modified one, is refused and changes nothing', async () => {
  const before = readdirSync(directory).sort();
  const changed = join(folder, 'changed.bundle');
  const bytes = readFileSync(bundle);
  bytes.write('c', bytes.indexOf('Contact Us'));
  writeFileSync(changed, bytes);
  for (const [path, key, words] of [
    [bundle, other, 'It is not signed by the key redoubt/mirror'],
    [changed, own, 'does not match the signature. Copy the bundle again.'],
    [feedFile(FEEDS[0]), own, 'It is not a bundle of "redoubt vulns pack".'],
  ] as const) {
    const { exitCode, stdout, stderr } = await importOf(path, key);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(words);
  }
  expect(readdirSync(directory).sort()).toEqual(before);
});

test('packing replaces a file only on request, and refuses files that are not feeds', async () => {
  const again = await pack(bundle);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('already exists')]);
  expect((await pack(bundle, '--force')).exitCode).toBe(0);
  const out = join(folder, 'none.bundle');
  const none = await redoubt('vulns', 'pack', '--key', keyFile, '--out', out, feedFile('no feed'));
  expect([none.exitCode, none.stdout]).toEqual([1, '']);
  expect(readdirSync(folder)).not.toContain('none.bundle');
});
