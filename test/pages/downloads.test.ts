import { expect, test } from 'bun:test';
import { isRefusal } from '../../src/domain/refusal.ts';
import { Downloads } from '../../src/pages/downloads.ts';

/** Downloads of a user whose permission can end, and timers controlled by the test. */
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
  /** Of an owner without others, unless one is named. */
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
    answer,
    refused,
    downloads,
    due,
    faults,
    shutOut: () => (mayGoOn = false),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a download is complete', async () => {
  const { answer, due } = byHand();
  const text = await answer().text();
  expect([text.split('\r\n').length, text.startsWith('"row"\r\n"row 0"\r\n'), due.length]).toEqual([
    1_002,
    true,
    0,
  ]);
});

test('a download is cut off when its user loses the permission', async () => {
  const { answer, shutOut } = byHand();
  const reader = (answer().body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  shutOut();
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  await expect(rest()).rejects.toBeUndefined();
});

test('ten downloads run at once, and an unread one frees its place', async () => {
  const { answer, refused, due } = byHand();
  const open = Array.from({ length: 10 }, () => answer());
  expect(refused()).toBe('RATE_LIMITED');
  due[0]?.();
  expect(refused()).toBe(false);
  expect(refused()).toBe('RATE_LIMITED');
  await open[5]?.body?.cancel();
  expect(refused()).toBe(false);
});

test('without a free place, a download unread for seconds gives way to another', async () => {
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

test('one owner has two downloads at once, so that others get theirs', async () => {
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

test('a download with failing rows frees its place, and is reported once', async () => {
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
