import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FeedRefused } from '../../../src/mirror/feed-refused.ts';
import { JsonSplitter, type Layout, parsed } from '../../../src/mirror/json/splitter.ts';
import { processorMs } from '../../support/processor-ms.ts';

const LIMITS = { recordBytes: 200, depth: 8 };
const utf8 = new TextEncoder();

type Member = readonly [key: string | null, value: unknown];

/** Splits a document that arrives in chunks of the given size. */
function split(layout: Layout, document: string | Uint8Array, chunkBytes = 1_000, limits = LIMITS): Member[] {
  const members: Member[] = [];
  const splitter = new JsonSplitter(layout, (text, key) => members.push([key, parsed(text)]), limits);
  const bytes = typeof document === 'string' ? utf8.encode(document) : document;
  const buffer = new Uint8Array(chunkBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    // One buffer for all, as when a file is read: the splitter must copy what it retains.
    const piece = bytes.subarray(at, at + chunkBytes);
    buffer.set(piece);
    splitter.push(buffer.subarray(0, piece.length));
  }
  splitter.end();
  return members;
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof FeedRefused) return error.why;
    throw error;
  }
  return 'taken';
}

/** Possible records: no bare numbers, whose end is unknown in a stream without white space. */
const record = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
const wide = { recordBytes: 100_000, depth: 64 };
const chunkBytes = fc.integer({ min: 1, max: 40 });
const indent = fc.constantFrom(0, 1, 2);

describe('the records of a document are those of JSON.parse, with any division into chunks', () => {
  test('in an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), record), chunkBytes, indent, (records, bytes, space) => {
        const document = JSON.stringify(records, null, space);
        const again = JSON.parse(document) as object;
        expect(split('entries', document, bytes, wide)).toEqual(Object.entries(again));
      }),
    );
  });

  test('in an array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 2 })), chunkBytes, indent, (records, bytes, space) => {
        const document = JSON.stringify(records, null, space);
        const again = JSON.parse(document) as unknown[];
        expect(split('elements', document, bytes, wide)).toEqual(again.map((value) => [null, value]));
      }),
    );
  });

  test('in lines, or alone', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1 }), chunkBytes, (records, bytes) => {
        const document = records.map((value) => JSON.stringify(value)).join('\n');
        const again = JSON.parse(JSON.stringify(records)) as unknown[];
        expect(split('values', document, bytes, wide)).toEqual(again.map((value) => [null, value]));
      }),
    );
  });

  test('in a list inside an object', () => {
    fc.assert(
      fc.property(fc.array(record), chunkBytes, indent, (records, bytes, space) => {
        const document = JSON.stringify({ count: 3, list: records, other: [1, [2]], last: 'x' }, null, space);
        const again = JSON.parse(JSON.stringify(records)) as unknown[];
        expect(split({ within: 'list' }, document, bytes, wide)).toEqual([
          ['count', 3],
          ...again.map((value) => [null, value] as const),
          ['other', [1, [2]]],
          ['last', 'x'],
        ]);
      }),
    );
  });
});

test.each([1, 2, 3, 7, 1_000])(
  'quotes and backslashes at the end of a chunk of %d bytes are read correctly',
  (bytes) => {
    const tricky = { 'a"}': '\\', b: '\\"', c: '"\\\\', d: '{[,]}', e: '\\\\"', f: 'é\u{1f600}' };
    expect(split('entries', JSON.stringify({ 'k\\"': tricky }), bytes)).toEqual([['k\\"', tricky]]);
  },
);

test('a byte order mark before the document is ignored', () => {
  expect(split('elements', '\ufeff[{"a":1}]', 1)).toEqual([[null, { a: 1 }]]);
  expect(refusal(() => split('elements', new Uint8Array([0xef, 0xbb, 0x5b, 0x5d])))).toBe('malformed');
});

describe('refused', () => {
  test('as truncated: a document without its end, cut anywhere', () => {
    const document = '{"a": {"id": "x", "list": [1, 2]}, "b": {"id": "y"}}';
    for (let length = 0; length < document.length; length += 1)
      expect([length, refusal(() => split('entries', document.slice(0, length)))]).toEqual([
        length,
        'truncated',
      ]);
    expect(refusal(() => split('values', '{"a":1}\n{"b"'))).toBe('truncated');
    expect(refusal(() => split('values', '{"a":1}\n{"b":2}'))).toBe('taken');
  });

  test.each<[Layout, string]>([
    ['entries', '[]'],
    ['elements', '{}'],
    ['entries', '{"a" 1}'],
    ['entries', '{"a":1 "b":2}'],
    ['entries', '{"a":1,}'],
    ['entries', '{,}'],
    ['entries', '{"a":}'],
    ['entries', '{a:1}'],
    ['entries', '{"a":1}{}'],
    ['entries', '{"a":{"b":1]}'],
    ['entries', '{"a":1]'],
    ['entries', '{"\\x":1}'],
    ['elements', '[1,]'],
    ['elements', '[1 2]'],
    ['elements', '[,1]'],
    ['elements', '[nul]'],
    ['elements', '["a\nb"]'],
    ['values', '<html>'],
    ['values', '{"a":1},{"b":2}'],
  ])('as malformed: %p for %s', (layout, document) => {
    expect(refusal(() => split(layout, document))).toBe('malformed');
  });

  test('as malformed: invalid UTF-8', () => {
    expect(refusal(() => split('elements', new Uint8Array([0x5b, 0x22, 0xc3, 0x28, 0x22, 0x5d])))).toBe(
      'malformed',
    );
  });

  test.each([1, 64, 1_000])('as too large: a record over the limit, in chunks of %d bytes', (bytes) => {
    const fits = JSON.stringify(['x'.repeat(198)]);
    expect(refusal(() => split('elements', fits, bytes))).toBe('taken');
    expect(refusal(() => split('elements', JSON.stringify(['x'.repeat(199)]), bytes))).toBe('too_large');
    expect(refusal(() => split('elements', `[${'1'.repeat(201)}]`, bytes))).toBe('too_large');
    expect(refusal(() => split('entries', `{"${'k'.repeat(300)}":1}`, bytes))).toBe('too_large');
  });

  test('as malformed: excessive nesting', () => {
    expect(refusal(() => split('values', `${'['.repeat(8)}${']'.repeat(8)}`))).toBe('taken');
    expect(refusal(() => split('values', '['.repeat(9)))).toBe('malformed');
  });
});

test('endless backslashes take linear time', () => {
  const document = utf8.encode(`["${'\\"'.repeat(500_000)}${'\\\\'.repeat(500_000)}"]`);
  const began = processorMs();
  expect(split('elements', document, 4_096, { recordBytes: 1e7, depth: 4 })).toHaveLength(1);
  expect(processorMs() - began).toBeLessThan(2_000);
});
