import { expect, test } from 'bun:test';
import { Downloads } from '../../src/console/downloads.ts';
import type { Role } from '../../src/domain/admin/operator.ts';
import { isRefusal } from '../../src/domain/refusal.ts';

/** Downloads of somebody whose role can change, and timers that are rung by hand. */
function byHand() {
  let role: Role | undefined = 'operator';
  const due: (() => void)[] = [];
  const operator = { id: 1, name: 'olga', hasPassword: true, hasSecondFactor: false };
  const moments = { createdAt: 0, signedInAt: 0, disabledAt: null };
  const downloads = new Downloads({
    after: (_, task) => {
      due.push(task);
      return () => void due.splice(due.indexOf(task), 1);
    },
    signIn: {
      sessionOf: async () =>
        role && { operator: { ...operator, ...moments, role }, startedAt: 0, confirmedAt: 0 },
    },
  });
  async function* rows() {
    for (let at = 0; at < 1_000; at += 1) yield [[`row ${at}`]];
  }
  const answer = () =>
    downloads.answer({ token: 'x', set: { headers: {} } }, { name: 'rows', header: ['row'], rows: rows() });
  return { answer, due, set: (next: Role | undefined) => (role = next) };
}

test('a download is whole', async () => {
  const { answer, due } = byHand();
  const text = await answer().text();
  expect([text.split('\r\n').length, text.startsWith('row\r\nrow 0\r\n'), due.length]).toEqual([
    1_002,
    true,
    0,
  ]);
});

test.each([undefined, 'viewer'] as const)(
  'a download is broken off when its session is gone, or its operator became one: %s',
  async (next) => {
    const { answer, set } = byHand();
    const reader = (answer().body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    set(next);
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow('broken off');
  },
);

test('ten downloads run at once, and one that nobody reads makes room', async () => {
  const { answer, due } = byHand();
  const open = Array.from({ length: 10 }, answer);
  const refused = () => {
    try {
      return answer() && false;
    } catch (error) {
      return isRefusal(error) && error.refused;
    }
  };
  expect(refused()).toBe('RATE_LIMITED');
  due[0]?.();
  expect(refused()).toBe(false);
  expect(refused()).toBe('RATE_LIMITED');
  await open[5]?.body?.cancel();
  expect(refused()).toBe(false);
});
