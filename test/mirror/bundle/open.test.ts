import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOTE_BYTES_MAX, type NoteSigner, signNote } from '../../../src/lib/signed-note.ts';
import { openBundle } from '../../../src/mirror/bundle/open.ts';
import { FeedRefused } from '../../../src/mirror/feed-refused.ts';
import { bundleOf, type Member, membersOf, newSigner, packed } from '../../support/bundles.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const good = await packed();
const members = membersOf(good.path);
const [[, note], osv, epss] = members as [Member, Member, Member];
const manifest = String(note).split('\n\n', 1)[0] ?? '';

const NOT_SIGNED_AS_SUCH = 'not a manifest';

/** The result of a bundle; no files of it may remain in any case. */
function fate(path: string, { verifier }: NoteSigner = good.signer): string {
  const directory = temporaryDirectory();
  try {
    openBundle(path, verifier, directory).discard();
    return 'opened';
  } catch (error) {
    if (!(error instanceof FeedRefused)) throw error;
    expect(error.message).toMatch(/(?:Copy|Check|Do not use|Pack|Name) .*\.$/);
    return error.message.startsWith('The signed content is not') ? NOT_SIGNED_AS_SUCH : error.why;
  } finally {
    expect(readdirSync(directory)).toEqual([]);
  }
}

function fileOf(bytes: Uint8Array): string {
  const path = join(temporaryDirectory(), 'bundle');
  writeFileSync(path, bytes);
  return path;
}

/** The two feeds after any manifest, with the given signer. */
const signedAs = (text: string, ...feeds: readonly Member[]): string =>
  bundleOf([['manifest', Buffer.from(signNote(`${text}\n`, good.signer))], ...feeds]);

test('a bundle that is reassembled unchanged opens', () => {
  for (const path of [good.path, bundleOf(members), signedAs(manifest, osv, epss)])
    expect(fate(path)).toBe('opened');
});

test('a bundle with any changed byte is refused, and as other content where that was in a feed', () => {
  const bytes = readFileSync(good.path);
  const from = bytes.indexOf(osv[1]);
  // A prime, so that all parts of the blocks are covered.
  for (let at = 0; at < bytes.length; at += 13) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 0x20;
    const why = fate(fileOf(changed));
    expect([at, why]).not.toEqual([at, 'opened']);
    if (at >= from && at < from + osv[1].length) expect([at, why]).toEqual([at, 'other_content']);
  }
});

test('a bundle truncated anywhere is refused', () => {
  const bytes = readFileSync(good.path);
  for (let length = 0; length < bytes.length; length += 127)
    expect(fate(fileOf(bytes.subarray(0, length)))).toBe(length < 512 ? 'unrecognised' : 'truncated');
});

test('a bundle signed by another key, also of that name, changed since or unsigned is refused', () => {
  for (const name of ['example.org/feeds', good.signer.verifier.name])
    expect(fate(good.path, newSigner(name))).toBe('untrusted');
  const changed = Buffer.from(String(note).replace('osv:npm', 'osv:xyz'));
  expect(fate(bundleOf([['manifest', changed], osv, epss]))).toBe('untrusted');
  expect(fate(bundleOf([['manifest', Buffer.from(manifest)], osv, epss]))).toBe('malformed');
});

const first: Member = ['manifest', note];
const evil: Member = ['evil', Buffer.from('{}')];
test.each<[string, string, Member[]]>([
  ['malformed', 'one more at the end', [first, osv, epss, evil]],
  ['malformed', 'one more in between', [first, evil, osv, epss]],
  ['malformed', 'a repeated one', [first, osv, osv, epss]],
  ['truncated', 'a missing one', [first, osv]],
  ['malformed', 'the feeds the other way round', [first, epss, osv]],
  ['malformed', 'another name', [first, ['../evil', osv[1]], epss]],
  ['unrecognised', 'the manifest last', [osv, epss, first]],
  ['unrecognised', 'none', []],
])('a bundle with other members than in its manifest is refused as %s: %s', (why, _, others) => {
  expect(fate(bundleOf(others))).toBe(why);
});

test('a bundle with trailing data is refused', () => {
  expect(fate(fileOf(Buffer.concat([readFileSync(good.path), Buffer.alloc(512)])))).toBe('malformed');
});

describe('a bundle with a signed but wrong manifest', () => {
  const bytes = osv[1].length;
  const sized = (size: number) => (text: string) => text.replace(`: ${bytes},`, `: ${size},`);
  test.each<[string, string, (text: string) => string]>([
    ['malformed', 'a size one too small', sized(bytes - 1)],
    ['malformed', 'a size one too large', sized(bytes + 1)],
    ['truncated', 'a size far too large', sized(8_589_934_591)],
    [NOT_SIGNED_AS_SUCH, 'a size beyond any limit', sized(8_589_934_592)],
    ['other_content', 'another digest', (text) => text.replace(/"sha256": "..../, '"sha256": "0000')],
    [NOT_SIGNED_AS_SUCH, 'no digest', (text) => text.replace('"sha256"', '"sha512"')],
    [NOT_SIGNED_AS_SUCH, 'an unknown format', (text) => text.replace('"format": "epss"', '"format": "nvd"')],
    [NOT_SIGNED_AS_SUCH, 'no date', (text) => text.replace('"retrieved_at"', '"retrieved"')],
    [NOT_SIGNED_AS_SUCH, 'another version', (text) => text.replace('/v1', '/v2')],
    [NOT_SIGNED_AS_SUCH, 'no JSON', (text) => text.slice(0, -1)],
  ])('is refused as %s: %s', (why, _, change) => {
    const text = change(manifest);
    expect(text).not.toBe(manifest);
    expect(fate(signedAs(text, osv, epss))).toBe(why);
  });

  test('is refused as no manifest by the names in it, also when the members have them', () => {
    for (const name of ['../evil', '/evil', 'a/b', '.', '..', '.hidden', '', 'a\\u0000b', 'x'.repeat(101)]) {
      const text = manifest.replace(osv[0], name);
      expect([name, fate(signedAs(text, [name, osv[1]], epss))]).toEqual([name, NOT_SIGNED_AS_SUCH]);
    }
    const twice = manifest.replace(epss[0], osv[0]);
    expect(fate(signedAs(twice, osv, [osv[0], epss[1]]))).toBe(NOT_SIGNED_AS_SUCH);
    const own = manifest.replace(osv[0], 'manifest');
    expect(fate(signedAs(own, ['manifest', osv[1]], epss))).toBe(NOT_SIGNED_AS_SUCH);
    const none = manifest.replace(/"feeds": \[.*\]/s, '"feeds": []');
    expect(fate(signedAs(none))).toBe(NOT_SIGNED_AS_SUCH);
  });

  test('is refused over 1 MiB before its signature is checked', () => {
    expect(fate(bundleOf([['manifest', new Uint8Array(NOTE_BYTES_MAX + 1)]]))).toBe('too_large');
  });
});

test('a file that is not a bundle, or only a link to one, is refused', () => {
  const link = join(temporaryDirectory(), 'link');
  symlinkSync(good.path, link);
  expect([fate(link), fate(temporaryDirectory())]).toEqual(['not_a_file', 'not_a_file']);
  for (const path of good.feeds) expect(fate(path)).toBe('unrecognised');
});

test('files of ended processes are removed, and those in use stay', () => {
  const directory = temporaryDirectory();
  const gone = spawnSync('true').pid;
  for (const pid of [gone, process.pid, process.ppid, 0]) {
    mkdirSync(join(directory, `bundle.${pid}.partial`));
    writeFileSync(join(directory, `bundle.${pid}.partial`, 'feed'), '');
  }
  const opened = openBundle(good.path, good.signer.verifier, directory);
  expect(readdirSync(directory).sort()).toEqual(
    [0, process.pid, process.ppid].map((pid) => `bundle.${pid}.partial`).sort(),
  );
  expect(readdirSync(join(directory, `bundle.${process.pid}.partial`))).toHaveLength(2);
  opened.discard();
  expect(readdirSync(directory)).toHaveLength(2);
});
