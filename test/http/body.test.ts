import { describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { jsonReader, mayBeDeeperThan } from '../../src/http/body.ts';

const CAP_BYTES = 256 * 1024;
const read = jsonReader({ capBytes: CAP_BYTES, named: Type.Object({}) });

const contextOf = (body: string | ReadableStream, signal?: AbortSignal) => {
  const request = new Request('http://x.test/', { method: 'POST', body, ...(signal ? { signal } : {}) });
  const exchange = { requestId: '', startedAt: 0, bodyMsMax: 10_000 };
  return { request, set: { headers: {}, exchange } };
};

const large = JSON.stringify({ text: 'x'.repeat(10_000) });

describe('a body', () => {
  test('is read completely in chunks of any size, and other requests get turns meanwhile', async () => {
    const bytes = new TextEncoder().encode(large);
    const chunks = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const context = contextOf(chunks);
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    });
    expect<unknown>(await read(context)).toEqual(JSON.parse(large));
    clearInterval(count);
    expect(turns).toBeGreaterThan(0);
  });

  test('waiting for its turn is not read after the client disconnects', async () => {
    const controller = new AbortController();
    const context = contextOf(large, controller.signal);
    const reading = read(context);
    controller.abort();
    expect(await reading.catch((refusal) => refusal)).toMatchObject({ refused: 'INVALID_PAYLOAD' });
  });

  test.each([32, 33])('nested %i levels deep is checked, or may be', async (levels) => {
    const nested = '['.repeat(levels) + ']'.repeat(levels);
    expect(mayBeDeeperThan(nested, 32)).toBe(levels > 32);
    const outcome = await read(contextOf(nested)).catch((refusal) => refusal);
    expect(outcome).toMatchObject(levels > 32 ? { refused: 'INVALID_PAYLOAD' } : [expect.anything()]);
  });

  test('that opens many containers side by side is checked and accepted', async () => {
    const flat = `[${Array.from({ length: 40 }, () => '{}').join()}]`;
    expect(mayBeDeeperThan(flat, 32)).toBe(true);
    expect<unknown>(await read(contextOf(flat))).toEqual(JSON.parse(flat));
  });
});
