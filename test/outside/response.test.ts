import { describe, expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { readResponse } from '../../src/outside/site-visit/response.ts';
import { wire } from '../support/fake-site.ts';

const HEAD_BYTES_MAX = 32 * 1024;

/** Bytes as they may arrive from a socket: in pieces of any size. */
const arriving = (bytes: Buffer, cuts: readonly number[] = []) => {
  const places = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((one, other) => one - other),
    bytes.length,
  ];
  return Readable.from(
    places.slice(1).map((end, at) => bytes.subarray(places[at], end)),
    { objectMode: false },
  );
};
const chunked = (parts: readonly string[]) =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${parts
    .map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`)
    .join('')}0\r\n\r\n`;
const cutAnywhere = fc.array(fc.nat(2_000), { maxLength: 20 });

describe('an answer', () => {
  test('is the same for any division of its bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 500 }), cutAnywhere, async (body, cuts) => {
        const answer = await readResponse(arriving(Buffer.from(wire(200, { A: 'b' }, body)), cuts), 4_096);
        expect(answer?.body).toBe(body);
        expect(answer?.headers.get('a')).toEqual(['b']);
      }),
    );
  });

  test('in chunks has the content of the chunks for any division of its bytes', async () => {
    const parts = fc.array(fc.string({ minLength: 1, maxLength: 50, unit: 'grapheme-ascii' }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(parts, cutAnywhere, async (texts, cuts) => {
        const answer = await readResponse(arriving(Buffer.from(chunked(texts)), cuts), 4_096);
        expect(answer?.body).toBe(texts.join(''));
      }),
    );
  });

  test('in chunks does not end where a part looks like the end', async () => {
    const parts = ['0\r\n\r\n', 'a\r\n\r\n', 'end'];
    const bytes = Buffer.from(chunked(parts));
    const eachByte = Array.from(bytes, (_, at) => at);
    expect((await readResponse(arriving(bytes, eachByte), 4_096))?.body).toBe(parts.join(''));
  });

  test('in thousands of chunks that arrive separately is read as one', async () => {
    const parts = Array.from({ length: 9_000 }, () => '\r\n');
    const bytes = Buffer.from(chunked(parts));
    const eachChunk = parts.map((_, at) => bytes.length - 5 - at * 7);
    expect((await readResponse(arriving(bytes, eachChunk), 64 * 1024))?.body).toBe(parts.join(''));
  });

  test('never throws and never exceeds its limit, with any input', async () => {
    const pieces = fc.constantFrom(
      'HTTP/1.1 200 OK',
      '\r\n',
      ':',
      'a: b',
      'Content-Length: ',
      '-1',
      '9'.repeat(20),
      '\r\n\r\n',
      '0',
      'fffffff',
      'f'.repeat(400),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array)),
      fc
        .array(pieces, { maxLength: 30 })
        .map((texts) => Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n${texts.join('')}`)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, cutAnywhere, fc.nat(64), async (sent, cuts, bodyBytesMax) => {
        const answer = await readResponse(arriving(sent, cuts), bodyBytesMax);
        if (answer) expect(Buffer.byteLength(answer.body, 'latin1')).toBeLessThanOrEqual(bodyBytesMax);
      }),
    );
  });

  test('has a head of at most 32 KiB', async () => {
    const headOf = (bytes: number) => {
      const start = 'HTTP/1.1 200 OK\r\nX: ';
      return Buffer.from(`${start}${'x'.repeat(bytes - start.length - 4)}\r\n\r\n`);
    };
    expect((await readResponse(arriving(headOf(HEAD_BYTES_MAX)), 64))?.status).toBe(200);
    expect(await readResponse(arriving(headOf(HEAD_BYTES_MAX + 1)), 64)).toBeUndefined();
  });
});
