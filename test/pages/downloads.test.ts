import { expect, test } from 'bun:test';
import { isRefusal } from '../../src/domain/refusal.ts';
import { Downloads } from '../../src/pages/downloads.ts';

/** Downloads of somebody who may be shut out, and timers that are rung by hand. */
function byHand() {
  let mayGoOn = true;
  const due: (() => void)[] = [];
  let now = 0;
  const faults: unknown[] = [];
  const after = (_: number, task: () => void) => {
    due.push(task);
    return () => void due.splice(due.indexOf(task), 1);
  };
  const downloads = new Downloads({ after, monotonic: () => now, onFault: (error) => faults.push(error) });
  async function* rows() {
    for (let at = 0; at < 1_000; at += 1) yield [[`row ${at}`]];
  }
  let owners = 1_000;
  /** Of an owner that has no other, unless one is named. */
  const answer = (owner = ++owners) =>
    downloads.answer(
      { headers: {} },
      { name: 'rows', header: ['row'], rows: rows() },
      async () => mayGoOn,
      owner,
    );
  const refused = (owner?: number) => {
    try {
      return answer(owner) && false;
    } catch (error) {
      return isRefusal(error) && error.refused;
    }
  };
  return {
    ...{ answer, refused, downloads, due, faults },
    shutOut: () => (mayGoOn = false),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a download is whole', async () => {
  const { answer, due } = byHand();
  const text = await answer().text();
  expect([text.split('\r\n').length, text.startsWith('"row"\r\n"row 0"\r\n'), due.length]).toEqual([
    1_002,
    true,
    0,
  ]);
});

test('a download is broken off when whoever began it may not have it any more', async () => {
  const { answer, shutOut } = byHand();
  const reader = (answer().body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  shutOut();
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  await expect(rest()).rejects.toBeUndefined();
});

test('ten downloads run at once, and one that nobody reads makes room', async () => {
  const { answer, refused, due } = byHand();
  const open = Array.from({ length: 10 }, () => answer());
  expect(refused()).toBe('RATE_LIMITED');
  due[0]?.();
  expect(refused()).toBe(false);
  expect(refused()).toBe('RATE_LIMITED');
  await open[5]?.body?.cancel();
  expect(refused()).toBe(false);
});

test('where there is no room, a download that has waited for its reader for seconds makes room for another', async () => {
  const { answer, refused, pass } = byHand();
  const slow = answer();
  pass(1);
  const read = Array.from({ length: 9 }, () => answer());
  pass(4_998);
  expect(refused()).toBe('RATE_LIMITED');
  pass(1);
  expect(refused()).toBe(false);
  await expect(slow.text()).rejects.toBeUndefined();
  expect((await read[0]?.text())?.length).toBeGreaterThan(1_000);
});

test('one owner has two downloads at once, so that nobody keeps the others from theirs', async () => {
  const { answer, refused } = byHand();
  const first = answer(1);
  expect([refused(1), refused(1), refused(2), refused(2), refused(2)]).toEqual([
    false,
    'RATE_LIMITED',
    false,
    false,
    'RATE_LIMITED',
  ]);
  await first.text();
  expect([refused(1), refused(1)]).toEqual([false, 'RATE_LIMITED']);
});

test('a download whose rows fail makes room, and is told of once', async () => {
  const { downloads, refused, faults } = byHand();
  async function* chunks() {
    yield 'first';
    throw new Error('the disk');
  }
  const file = { name: 'rows.txt', type: 'text/plain', chunks: chunks() };
  const send = () => downloads.send({ headers: {} }, file, async () => true, 1);
  await expect(send().text()).rejects.toBeUndefined();
  expect(faults).toEqual([new Error('the disk')]);
  expect([refused(1), refused(1), refused(1)]).toEqual([false, false, 'RATE_LIMITED']);
});
