import { expect, test } from 'bun:test';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openNote } from '../../../src/lib/signed-note.ts';
import { openBundle } from '../../../src/mirror/bundle/open.ts';
import { type PackOptions, packFeeds } from '../../../src/mirror/bundle/pack.ts';
import { FeedRefused } from '../../../src/mirror/feed-refused.ts';
import { readFeed } from '../../../src/mirror/read-feed.ts';
import { newSigner, packed, twoFeeds } from '../../support/bundles.ts';
import { FEEDS_NOW, feedFile, kevCatalogue, kevEntry, osvRecord } from '../../support/feeds.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const now = { nowMs: FEEDS_NOW };

test('feeds unpack unchanged, with their metadata, and are deleted when they are discarded', async () => {
  const [osv, epss] = twoFeeds();
  utimesSync(osv, 1_790_000_000, 1_790_000_000.5);
  const [signer, out, directory] = [newSigner(), join(temporaryDirectory(), 'b'), temporaryDirectory()];
  const manifest = await packFeeds([osv, epss], signer, out, now);
  let read = 0;
  const opened = openBundle(out, signer.verifier, directory, (bytes) => {
    read += bytes;
  });
  expect([opened.createdAt, statSync(out).mode & 0o777]).toEqual([FEEDS_NOW, 0o644]);
  expect(opened.feeds.map(({ path, ...entry }) => entry)).toEqual([...manifest.feeds]);
  const [first, second] = opened.feeds;
  expect(first).toMatchObject({ file: '1-all_records.json', source: 'osv:npm', format: 'osv', records: 2 });
  expect(first?.retrievedAt).toBe(1_790_000_000_500);
  expect(second).toMatchObject({ file: '2-epss.csv.gz', publishedAt: Date.parse('2026-10-04T12:00:21Z') });
  for (const [at, feed] of opened.feeds.entries()) {
    expect(readFileSync(feed.path)).toEqual(readFileSync([osv, epss][at] ?? ''));
    expect(statSync(feed.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(feed.path)).mode & 0o777).toBe(0o700);
    const { source, sha256, bytes } = feed;
    expect(await readFeed(feed.path, () => {}, { ...now, sha256 })).toMatchObject({ source, sha256, bytes });
  }
  expect(read).toBe(statSync(osv).size + statSync(epss).size);
  opened.discard();
  expect(readdirSync(directory)).toEqual([]);
});

test('feeds that an import would refuse together are not packed together', async () => {
  const [osv] = twoFeeds();
  const out = join(temporaryDirectory(), 'b');
  const longer = kevCatalogue([kevEntry(), kevEntry({ cveID: 'CVE-2026-4001' })]);
  for (const [paths, words] of [
    [[osv, osv], 'named twice'],
    [[kevCatalogue(), longer].map(feedFile), 'newest only'],
  ] as const)
    await expect(packFeeds(paths, newSigner(), out, now)).rejects.toThrow(words);
  expect(readdirSync(dirname(out))).toEqual([]);
});

test("any host's tar opens a bundle, and its manifest is a signed note that people can read", async () => {
  const { path, signer, feeds } = await packed();
  const directory = temporaryDirectory();
  const { stderr } = spawnSync('tar', ['-xf', path, '-C', directory], { encoding: 'utf8' });
  expect([stderr, readdirSync(directory).length]).toEqual(['', 3]);
  expect(readFileSync(join(directory, '2-epss.csv.gz'))).toEqual(readFileSync(feeds[1] ?? ''));
  const manifest = openNote(readFileSync(join(directory, 'manifest')), signer.verifier);
  const text = 'text' in manifest ? manifest.text : '';
  expect(text).toStartWith('redoubt.mirror.bundle/v1\n{\n  "created_at": "2026-11-23T04:00:00.000Z",\n');
  const [entry] = JSON.parse(text.slice(text.indexOf('{'))).feeds;
  expect(Object.keys(entry).sort().join(' ')).toBe(
    'bytes file format published_at records retrieved_at sha256 source',
  );
  const listed = execFileSync('tar', ['-tvf', path], { encoding: 'utf8', env: { TZ: 'UTC' } });
  expect(listed).toMatch(/^-rw-r--r-- 0\/0 +\d+ 2026-11-23 04:00 manifest\n/);
});

test('feeds of one name stay separate, and a long or unusual one is shortened', async () => {
  const [osv] = twoFeeds();
  const [[same], long] = [twoFeeds(), join(temporaryDirectory(), `-ä ${'x'.repeat(200)}.json`)];
  for (const path of [same, long]) writeFileSync(path, JSON.stringify(osvRecord({ id: `X-${path.length}` })));
  const [signer, out] = [newSigner(), join(temporaryDirectory(), 'b')];
  await packFeeds([osv, same, long], signer, out, now);
  const { feeds } = openBundle(out, signer.verifier, temporaryDirectory());
  expect(feeds.map(({ path }) => basename(path))).toEqual([
    '1-all_records.json',
    '2-all_records.json',
    `3-${'x'.repeat(75)}.json`,
  ]);
});

test('an existing file is replaced only on request, and the target of a link never', async () => {
  const directory = temporaryDirectory();
  const [theirs, link] = [join(directory, 'theirs'), join(directory, 'link')];
  writeFileSync(theirs, 'precious');
  symlinkSync(join(directory, 'elsewhere'), link);
  for (const out of [theirs, link])
    expect(await refusalOf(twoFeeds(), out)).toEqual(['failed', expect.stringContaining('already exists')]);
  expect(await refusalOf(twoFeeds(), link, { overwrite: true })).toEqual([]);
  expect([readFileSync(theirs, 'utf8'), lstatSync(link).isFile()]).toEqual(['precious', true]);
  expect(readdirSync(directory).sort()).toEqual(['link', 'theirs']);
});

/** The refusal of feeds that are not packed; none when they are. */
const refusalOf = (paths: readonly string[], out: string, options: Partial<PackOptions> = {}) =>
  packFeeds(paths, newSigner(), out, { ...now, ...options }).then(
    () => [],
    (error: Error) => [error instanceof FeedRefused ? error.why : 'failed', error.message],
  );

test('a damaged feed is not packed, nor one that changes meanwhile, and the refusal names it', async () => {
  const [[osv, epss], directory, broken] = [twoFeeds(), temporaryDirectory(), feedFile('{"id":')];
  const out = join(directory, 'b');
  const ends = expect.stringContaining(`${broken}: The feed ends`);
  expect(await refusalOf([osv, broken], out)).toEqual(['truncated', ends]);
  const other = readFileSync(osv, 'utf8').replace('X-2', 'X-3');
  const onProgress = (path: string) => path === epss && writeFileSync(osv, other);
  const changed = expect.stringContaining(`${osv}: The file changed`);
  expect(await refusalOf([osv, epss], out, { onProgress })).toEqual(['other_content', changed]);
  expect(readdirSync(directory)).toEqual([]);
});

test('an unwritable bundle is reported with its path, and so are too few or many feeds', async () => {
  const directory = temporaryDirectory();
  const nowhere = join(directory, 'nowhere', 'b');
  for (const [out, overwrite] of [
    [nowhere, false],
    [directory, true],
  ] as const) {
    const words = expect.stringContaining(`cannot write ${out}: `);
    expect(await refusalOf(twoFeeds(), out, { overwrite })).toEqual(['failed', words]);
  }
  for (const paths of [[], Array(1_001).fill('feed')])
    expect(await refusalOf(paths, nowhere)).toEqual(['failed', expect.stringContaining('1 to 1000')]);
  expect(readdirSync(directory)).toEqual([]);
});
