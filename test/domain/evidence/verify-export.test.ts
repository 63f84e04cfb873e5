import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  entryLine,
  headerLine,
  LINE_BYTES_MAX,
  readExportLine,
} from '../../../src/domain/evidence/export.ts';
import { leafHash } from '../../../src/domain/evidence/merkle.ts';
import { type ExportTrust, verifyExport } from '../../../src/domain/evidence/verify-export.ts';
import { linesOf } from '../../../src/lib/lines.ts';
import { signNote } from '../../../src/lib/signed-note.ts';
import {
  entryText,
  exportPage,
  logOf,
  logOfEntries,
  newLogSigner,
  publishedKey,
  signedCheckpoint,
} from '../../support/evidence.ts';

const signer = newLogSigner();
const vkey = signer.verifier;
const log = logOfEntries(11);
/** A different history: it shares only the first four entries. */
const forked = logOf([...log.texts.slice(0, 4), ...logOfEntries(20).texts.slice(7, 14)]);

async function* chunksOf(file: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(file);
}
const verify = (file: string | Uint8Array, trust?: ExportTrust) =>
  verifyExport(linesOf(chunksOf(file), LINE_BYTES_MAX), trust);
const linesIn = (file: string) => file.split('\n').slice(0, -1);
const fileOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const pinnedAt = (size: number, of = log) => Buffer.from(signedCheckpoint(of, size, signer));

test('an export of a whole log is valid, and the result shows whether its key was given', async () => {
  const expected = {
    holds: true as const,
    origin: vkey.name,
    size: 11,
    entries: 11,
    forgotten: 2,
    first: 0,
    last: 10,
    whole: true,
    missing: [],
    vkey: vkey.vkey,
  };
  const file = exportPage(log, signer, {
    forgotten: [0, 7],
    jwks: { keys: [publishedKey(), publishedKey()] },
  });
  expect(await verify(file)).toEqual({ ...expected, vkeyGiven: false });
  expect(await verify(file, { vkey })).toEqual({ ...expected, vkeyGiven: true });
});

const gaps = (...ranges: [number, number][]) => ranges.map(([first, last]) => ({ first, last }));

test.each<[string, number, number[], object]>([
  [
    'some of its entries',
    11,
    [2, 3, 9],
    { entries: 3, first: 2, last: 9, missing: gaps([0, 1], [4, 8], [10, 10]) },
  ],
  ['all but one', 11, [0, 1, 2, 3, 4, 6, 7, 8, 9, 10], { entries: 10, last: 10, missing: gaps([5, 5]) }],
  [
    'all but the first two',
    11,
    [2, 3, 4, 5, 6, 7, 8, 9, 10],
    { entries: 9, first: 2, missing: gaps([0, 1]) },
  ],
  [
    'all but the last one',
    11,
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    { entries: 10, last: 9, missing: gaps([10, 10]) },
  ],
  ['none of its entries', 11, [], { size: 11, entries: 0, first: null, last: null, missing: gaps([0, 10]) }],
  ['an empty log', 0, [], { size: 0, entries: 0, first: null, last: null, whole: true, missing: [] }],
  ['a log of one entry', 1, [0], { size: 1, entries: 1, first: 0, last: 0, whole: true }],
])('an export of %s is valid, and the result says what it contains', async (_, size, indexes, verdict) => {
  expect(await verify(exportPage(log, signer, { size, indexes }))).toMatchObject({ holds: true, ...verdict });
});

test('missing entries are reported for pages in any order, and an entry in two pages counts once', async () => {
  const page = (...indexes: number[]) => exportPage(log, signer, { indexes, forgotten: [4] });
  for (const [pages, verdict] of [
    [[page(5, 6, 7), page(0, 1, 2)], { entries: 6, missing: gaps([3, 4], [8, 10]) }],
    [[page(3, 4), page(4, 5), page(3, 4)], { entries: 3, forgotten: 1, missing: gaps([0, 2], [6, 10]) }],
    [[page(6, 7, 8, 9, 10), page(0, 1, 2, 3, 4), page(5)], { entries: 11, whole: true, missing: [] }],
  ] as const)
    expect(await verify(pages.join(''))).toMatchObject({ holds: true, whole: false, ...verdict });
});

test('for any entries in any pages, exactly the entries outside the file are missing', async () => {
  const pages = fc.array(fc.subarray([...log.texts.keys()]), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(pages, async (parts) => {
      const verdict = await verify(
        exportPage(log, signer, { indexes: [] }) +
          parts.map((indexes) => exportPage(log, signer, { indexes })).join(''),
      );
      const has = new Set(parts.flat());
      const missing = verdict.holds
        ? verdict.missing.flatMap(({ first, last }) =>
            Array.from({ length: last - first + 1 }, (_, at) => first + at),
          )
        : undefined;
      expect(missing).toEqual([...log.texts.keys()].filter((index) => !has.has(index)));
      expect(verdict).toMatchObject({ entries: has.size, whole: has.size === 11 });
    }),
    { numRuns: 200 },
  );
});

test('a file with any single bit flipped is invalid', async () => {
  const jwks = { keys: [publishedKey()] };
  const file = Buffer.from(exportPage(logOfEntries(3), signer, { forgotten: [1], jwks }));
  expect(await verify(file)).toMatchObject({ holds: true });
  const held: string[] = [];
  for (const at of file.keys()) {
    for (let bit = 1; bit < 256; bit *= 2) {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ bit;
      const { holds } = await verify(changed);
      if (holds) held.push(`${at}: ${changed.subarray(at - 20, at + 20)}`);
    }
  }
  expect(held).toEqual([]);
});

test('a file truncated within a line is invalid, and one truncated between lines is incomplete', async () => {
  const file = exportPage(logOfEntries(3), signer);
  for (let bytes = 0; bytes < file.length - 1; bytes += 1) {
    const verdict = await verify(file.slice(0, bytes));
    const isBetween = bytes > 0 && (file[bytes] === '\n' || file[bytes - 1] === '\n');
    expect([bytes, verdict.holds && !verdict.whole]).toEqual([bytes, isBetween]);
  }
});

describe('verification names the first invalid line:', () => {
  const [header = '', ...entries] = linesIn(exportPage(log, signer));
  const [first = '', second = '', third = ''] = entries;
  const withFields = (line: string, fields: object) => JSON.stringify({ ...JSON.parse(line), ...fields });
  const entry = (text: string) => {
    const own = logOf([Buffer.from(text)]);
    const exported = { index: 0, entry: text, proof: [] };
    return [linesIn(exportPage(own, signer))[0] ?? '', entryLine(exported).trimEnd()];
  };
  const lone = entry('{"v":1,"word":"x"}').map((line) => line.replace('"x\\"', '"\\ud800\\"'));

  test.each<[string, readonly string[], number | null, number | null, string]>([
    ['an empty file', [], null, null, 'empty'],
    ['an empty line', [header, '', first], 2, null, 'not part of an export'],
    ['no header', [first, second], 1, null, 'must start with a header'],
    [
      'another format version',
      [withFields(header, { format: 'redoubt-evidence-v2' })],
      1,
      null,
      'not part of an export',
    ],
    ['an unknown field in the header', [withFields(header, { at: 1 })], 1, null, 'not part of an export'],
    ['no keys', [withFields(header, { jwks: undefined })], 1, null, 'not part of an export'],
    [
      'a key without a name',
      [withFields(header, { jwks: { keys: [{ kty: 'EC' }] } })],
      1,
      null,
      'not part of an export',
    ],
    [
      'a private key',
      [withFields(header, { jwks: { keys: [{ ...publishedKey(), d: 'A' }] } })],
      1,
      null,
      'not part of an',
    ],
    [
      'a key under another name',
      [withFields(header, { jwks: { keys: [{ ...publishedKey(), kid: publishedKey().kid }] } })],
      1,
      null,
      'not part of an export',
    ],
    ['a malformed vkey', [withFields(header, { vkey: 'x' })], 1, null, 'The key in the header is malformed'],
    [
      'another vkey',
      [withFields(header, { vkey: newLogSigner().verifier.vkey })],
      1,
      null,
      'is not signed by',
    ],
    [
      'an unsigned checkpoint',
      [withFields(header, { checkpoint: 'a\n1\n' })],
      1,
      null,
      'is not a signed note',
    ],
    [
      'a modified checkpoint',
      [withFields(header, { checkpoint: JSON.parse(header).checkpoint.replace('\n11\n', '\n12\n') })],
      1,
      null,
      'does not match its signature',
    ],
    [
      'a signed note that is not a checkpoint',
      [withFields(header, { checkpoint: signNote('a manifest\n', signer) })],
      1,
      null,
      'is not a checkpoint',
    ],
    [
      'a checkpoint of another log',
      [
        withFields(header, {
          checkpoint: signNote(`example.com/evidence/2\n11\n${log.root(11).toString('base64')}\n`, signer),
        }),
      ],
      1,
      null,
      'belongs to another log than its key',
    ],
    [
      'an empty log with a root of other entries',
      [
        withFields(header, {
          checkpoint: signNote(`${vkey.name}\n0\n${log.root(11).toString('base64')}\n`, signer),
        }),
      ],
      1,
      null,
      'a root that is impossible for its size',
    ],
    [
      'a lone surrogate in the checkpoint, where U+FFFD was signed',
      [
        withFields(header, {
          checkpoint: signNote(`${vkey.name}\n11\n${log.root(11).toString('base64')}\n\ufffd\n`, signer),
        }).replace('\ufffd', '\\ud800'),
      ],
      1,
      null,
      'not part of an export',
    ],
    [
      'a repeated index',
      [header, first, second, second],
      4,
      1,
      'follows one with the same or a higher index',
    ],
    ['a decreasing index', [header, second, first], 3, 0, 'follows one with the same or a higher index'],
    ['the index of another entry', [header, withFields(first, { index: 1 })], 2, 1, 'differs from the log'],
    ['an index beyond the log', [header, withFields(first, { index: 11 })], 2, 11, 'differs from the log'],
    [
      'the text of another entry',
      [header, withFields(first, { entry: JSON.parse(second).entry })],
      2,
      0,
      'differs from the log',
    ],
    [
      'the proof of another entry',
      [header, withFields(first, { proof: JSON.parse(third).proof })],
      2,
      0,
      'differs from the log',
    ],
    ['a truncated proof', [header, withFields(first, { proof: [] })], 2, 0, 'differs from the log'],
    [
      'an index that is a string',
      [header, withFields(first, { index: '0' })],
      2,
      null,
      'not part of an export',
    ],
    ['a negative index', [header, withFields(first, { index: -1 })], 2, null, 'not part of an export'],
    ['an index with a fraction', [header, first.replace(':0,', ':0.0,')], 2, null, 'not part of an export'],
    [
      'an entry that is an object',
      [header, withFields(first, { entry: {} })],
      2,
      null,
      'not part of an export',
    ],
    [
      'a proof that is a string',
      [header, withFields(first, { proof: '' })],
      2,
      null,
      'not part of an export',
    ],
    ['a proof of numbers', [header, withFields(first, { proof: [1] })], 2, null, 'not part of an export'],
    [
      'an unknown field in an entry',
      [header, withFields(first, { at: 1 })],
      2,
      null,
      'not part of an export',
    ],
    ['a repeated field', [header, first.replace('{', '{"index":0,')], 2, null, 'not part of an export'],
    ['a space', [header, `${first} `], 2, null, 'not part of an export'],
    ['a carriage return', [header, `${first}\r`], 2, null, 'not part of an export'],
    ['a byte order mark', [`\ufeff${header}`], 1, null, 'not part of an export'],
    [
      'an entry with both its text and forgotten',
      [header, withFields(first, { forgotten: true })],
      2,
      null,
      'not part of an',
    ],
    ['forgotten: false', [header, withFields(first, { forgotten: false })], 2, null, 'not part of an export'],
    ['an array', [header, '[]'], 2, null, 'not part of an export'],
    [
      'a line over 256 KiB',
      [header, first, ' '.repeat(LINE_BYTES_MAX + 1)],
      3,
      null,
      'longer than 262144 bytes',
    ],
    ['an entry of another version', entry('{"v":2}'), 2, 0, 'is not an entry of a log'],
    ['an entry that is not an object', entry('["v",1]'), 2, 0, 'is not an entry of a log'],
    ['an entry that is not JSON', entry('v=1'), 2, 0, 'is not an entry of a log'],
    ['a lone surrogate', lone, 2, 0, 'is not an entry of a log'],
  ])('%s', async (_, lines, line, index, why) => {
    const verdict = await verify(fileOf(lines));
    expect(verdict).toEqual({ holds: false, line, index, why: expect.stringContaining(why) });
  });

  test('bytes that are not UTF-8', async () => {
    const file = Buffer.from(exportPage(log, signer));
    file[file.indexOf('ß')] = 0xff;
    expect(await verify(file)).toMatchObject({ holds: false, line: 2 });
  });

  test('a key other than the given one', async () => {
    expect(await verify(exportPage(log, signer), { vkey: newLogSigner().verifier })).toMatchObject({
      holds: false,
      line: 1,
      why: expect.stringContaining('another key than the given one'),
    });
  });
});

describe('consecutive pages', () => {
  const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
  const page = (size: number, from: number, to: number, of = log) =>
    exportPage(of, signer, { size, indexes: upTo(from, to) });

  test('are valid together when the log grew between them', async () => {
    const file = page(4, 0, 4) + page(6, 4, 6) + page(11, 6, 9) + page(11, 9, 11);
    expect(await verify(file)).toMatchObject({ holds: true, size: 11, entries: 11, whole: true });
    expect(await verify(page(11, 6, 11) + page(11, 0, 6))).toMatchObject({
      first: 0,
      last: 10,
      whole: true,
    });
  });

  test.each<[string, string, number, number | null, string]>([
    ['of the same size with two roots', page(8, 0, 5) + page(8, 5, 8, forked), 7, null, 'rewritten'],
    [
      'a continuation of a different history',
      page(6, 0, 6) + page(11, 6, 11, forked),
      9,
      6,
      'with 6 entries',
    ],
    ['the end of a different history', page(6, 0, 5) + page(11, 5, 6, forked), 8, 5, 'with 6 entries'],
    ['of a log that shrank', page(11, 0, 5) + page(8, 5, 8), 7, null, 'in the order of their export'],
    [
      'of two logs',
      page(4, 0, 4) + exportPage(log, newLogSigner()),
      6,
      null,
      'another key than the pages before',
    ],
  ])('are invalid when they are %s', async (_, file, line, index, why) => {
    const verdict = await verify(file, { vkey });
    expect(verdict).toEqual({ holds: false, line, index, why: expect.stringContaining(why) });
  });

  test('of two histories are invalid, for every point where they differ and every first page', async () => {
    for (let parted = 0; parted < 8; parted += 1) {
      const other = logOf([...log.texts.slice(0, parted), ...logOfEntries(30).texts.slice(20, 30)]);
      for (let size = parted + 1; size < 8; size += 1) {
        const file = exportPage(log, signer, { size }) + page(8, size, 8, other);
        expect([parted, size, (await verify(file)).holds]).toEqual([parted, size, false]);
      }
    }
  });

  test('are limited to 10,000', async () => {
    const header = page(1, 0, 0);
    expect(await verify(header.repeat(10_000))).toMatchObject({ holds: true });
    expect(await verify(header.repeat(10_001))).toMatchObject({ holds: false, line: 10_001 });
  });
});

describe('a pinned checkpoint', () => {
  const file = exportPage(log, signer);

  test('of any size is valid when the log has grown from it', async () => {
    for (let size = 0; size <= 11; size += 1)
      expect([size, await verify(file, { pinned: pinnedAt(size) })]).toMatchObject([size, { holds: true }]);
  });

  test('of a different history is detected at every size at which it differs', async () => {
    for (let size = 0; size <= 11; size += 1) {
      const { holds } = await verify(file, { pinned: pinnedAt(size, forked) });
      expect([size, holds]).toEqual([size, size <= 4]);
    }
  });

  test('needs the entry before or after it; otherwise the result names a missing entry', async () => {
    const some = (...indexes: number[]) => exportPage(log, signer, { indexes });
    for (const index of [4, 5])
      expect(await verify(some(index), { pinned: pinnedAt(5) })).toMatchObject({ holds: true });
    expect(await verify(some(7), { pinned: pinnedAt(0) })).toMatchObject({ holds: true });
    expect(await verify(some(3, 6), { pinned: pinnedAt(5) })).toEqual({
      holds: false,
      line: null,
      index: 4,
      why: expect.stringContaining('entry 4 is missing'),
    });
  });

  test.each<[string, Uint8Array, string]>([
    ['nothing', Buffer.of(), 'is not a signed note'],
    ['signed by another key', Buffer.from(signedCheckpoint(log, 3, newLogSigner())), 'is not signed by'],
    ['of another subject', Buffer.from(signNote('a\n', signer)), 'is not a checkpoint'],
  ])('is refused when it is %s', async (_, pinned, why) => {
    expect(await verify(file, { pinned })).toMatchObject({
      holds: false,
      line: 1,
      why: expect.stringContaining(why),
    });
  });

  test('of a longer log is refused', async () => {
    const short = exportPage(log, signer, { size: 6 });
    expect(await verify(short, { pinned: pinnedAt(7) })).toMatchObject({
      holds: false,
      line: null,
      index: null,
      why: expect.stringContaining('had 7 entries'),
    });
  });
});

test('any line parses to the values that it was formatted from', () => {
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
  const base = { index: fc.maxSafeNat(), proof: fc.array(hash, { maxLength: 50 }) };
  const text = fc.string({ unit: 'binary' });
  const jwks = { keys: [publishedKey()] };
  const line = fc.oneof(
    fc.record({ ...base, entry: text }, { noNullPrototype: true }),
    fc.record({ ...base, leafHash: hash }, { noNullPrototype: true }),
  );
  fc.assert(fc.property(line, (told) => expect(readExportLine(entryLine(told).slice(0, -1))).toEqual(told)));
  fc.assert(
    fc.property(text, text, (checkpoint, key) => {
      const header = { checkpoint, vkey: key, jwks };
      expect(readExportLine(headerLine(header).slice(0, -1))).toEqual(header);
    }),
  );
});

test('an entry of 32 KiB fits in a line, with any JSON escapes', async () => {
  const text = entryText('"\\'.repeat(8_000));
  expect(Buffer.byteLength(text)).toBeGreaterThan(32_000);
  const own = logOf([Buffer.from(text)]);
  expect(leafHash(Buffer.from(text))).toEqual(own.root(1));
  expect(await verify(exportPage(own, signer))).toMatchObject({ holds: true, entries: 1 });
});
