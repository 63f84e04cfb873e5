import { expect, test } from 'bun:test';
import type { HookContext } from '../../src/http/context.ts';
import { EventStreams } from '../../src/http/event-streams.ts';

/** Streams with reads that the test triggers. */
function byHand() {
  const due: (() => void)[] = [];
  const faults: unknown[] = [];
  const after = (_: number, task: () => void) => {
    due.push(task);
    return () => void due.splice(due.indexOf(task), 1);
  };
  const streams = new EventStreams({ after, onFault: (error) => faults.push(error) });
  const answer = (look: () => Promise<string | undefined>, seen?: string, owner = 1) => {
    const set: HookContext['set'] = { headers: {} };
    return streams.answer({ request: new Request('http://localhost/'), set }, owner, look, seen);
  };
  const tick = async () => {
    while (due.length === 0) await Bun.sleep(0);
    due.shift()?.();
  };
  return { streams, answer, due, faults, tick };
}

async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  return new TextDecoder().decode((await reader.read()).value);
}

const readerOf = (response: Response) =>
  (response.body as ReadableStream<Uint8Array>).getReader() as ReadableStreamDefaultReader<Uint8Array>;

test('a stream sends each change once, stays alive meanwhile, and ends when its permission ends', async () => {
  const { answer, tick, due, faults } = byHand();
  const looks = ['a', 'b', 'b', new Error('no disk'), 'c', undefined];
  const response = answer(async () => {
    const look = looks.shift();
    if (look instanceof Error) throw look;
    return look;
  }, 'a');
  const reader = readerOf(response);
  expect(response.headers.get('content-type')).toBe('text/event-stream;charset=utf-8');
  expect(await nextOf(reader)).toBe('retry: 5000\n\n');
  const sent: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    await tick();
    sent.push(await nextOf(reader));
  }
  expect(sent).toEqual([':\n\n', 'event: changed\ndata: b\n\n', ':\n\n']);
  await tick();
  await tick();
  expect([await nextOf(reader), faults.length]).toEqual(['event: changed\ndata: c\n\n', 1]);
  await tick();
  expect([await nextOf(reader), (await reader.read()).done, due.length]).toEqual([
    'event: ended\ndata:\n\n',
    true,
    0,
  ]);
});

test('a HEAD request is answered and uses no place', () => {
  const { streams, due } = byHand();
  const request = new Request('http://localhost/', { method: 'HEAD' });
  const response = streams.answer({ request, set: { headers: {} } }, 1, async () => 'a', undefined);
  expect([response.status, response.body, due.length]).toEqual([200, null, 0]);
});

test('one owner has at most ten streams, with any number of free places', async () => {
  const { answer, tick } = byHand();
  const open = Array.from({ length: 10 }, () => answer(async () => undefined));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  expect(answer(async () => 'a').status).toBe(204);
  expect(answer(async () => 'a', undefined, 2).status).toBe(200);
  // One with an ended session frees its place as well.
  await tick();
  await readerOf(open[0] as Response).read();
  expect([answer(async () => 'a').status, answer(async () => 'a').status]).toEqual([200, 204]);
});

test('a disconnected stream is not read again, and frees its place', async () => {
  const { answer, due, streams } = byHand();
  const open = Array.from({ length: 100 }, (_, at) => answer(async () => 'a', undefined, at % 10));
  expect([answer(async () => 'a', undefined, 10).status, due.length]).toEqual([204, 100]);
  await open[0]?.body?.cancel();
  expect([due.length, answer(async () => 'a', undefined, 10).status]).toEqual([99, 200]);
  streams.endAll();
  expect(due).toEqual([]);
  const reader = readerOf(open[1] as Response);
  await reader.read();
  expect((await reader.read()).done).toBe(true);
});
