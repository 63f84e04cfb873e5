import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { linesOf } from '../../src/lib/lines.ts';

async function* inPieces(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(text);
  for (let from = 0; from < whole.length; from += bytes) yield whole.subarray(from, from + bytes);
}
const read = async (text: string, pieceBytes: number, bytesMax: number) =>
  (await Array.fromAsync(linesOf(inPieces(text, pieceBytes), bytesMax))).map((line) =>
    Buffer.from(line).toString(),
  );

test('lines are the same in pieces of any size, and the last one needs no newline', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (whole, bytes) => {
      const expected = whole.split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(await read(whole, bytes, 100)).toEqual(expected);
    }),
  );
});

test('a longer line is truncated to one byte over the limit, and is the last', async () => {
  for (const bytes of [1, 2, 3, 5, 100])
    expect(await read('abc\nabcd\nabcdefghijk\nab', bytes, 3)).toEqual(['abc', 'abcd']);
});

test('an endless line uses no more memory or time than allowed', async () => {
  async function* long(): AsyncGenerator<Uint8Array> {
    while (true) yield new Uint8Array(100_000).fill(1);
  }
  const before = process.memoryUsage().rss;
  const lines = await Array.fromAsync(linesOf(long(), 1_000));
  expect(lines.map(({ length }) => length)).toEqual([1_001]);
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
});
