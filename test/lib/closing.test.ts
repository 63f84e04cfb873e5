import { expect, test } from 'bun:test';
import { openTogether } from '../../src/lib/closing.ts';

test('when a part cannot be opened, earlier ones are closed in reverse order, and its error is thrown', async () => {
  const [closed, faults]: [string[], unknown[]] = [[], []];
  const opened = openTogether(
    async (closing) => {
      closing.defer(() => void closed.push('first'));
      closing.defer(() => Promise.reject(new Error('of closing')));
      closing.defer(() => void closed.push('third'));
      throw new Error('of opening');
    },
    (error) => faults.push(error),
  );
  await expect(opened).rejects.toThrow('of opening');
  expect([closed, faults]).toEqual([['third', 'first'], [new Error('of closing')]]);
});

test('a successful set stays open until it is closed', async () => {
  const closed: string[] = [];
  const stop = await openTogether(
    async (closing) => {
      closing.defer(() => void closed.push('it'));
      return () => closing.disposeAsync();
    },
    () => {},
  );
  expect(closed).toEqual([]);
  await stop();
  expect(closed).toEqual(['it']);
});
