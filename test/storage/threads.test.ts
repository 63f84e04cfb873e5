import { expect, test } from 'bun:test';
import { openStorageThread } from '../../src/storage/threads.ts';

test('when a thread dies, that is told, and what it was asked fails, in words of ours', async () => {
  const worker = { postMessage() {} } as unknown as Worker;
  const told: string[] = [];
  const opened = openStorageThread(worker, '', (message) => told.push(message));
  worker.onerror?.(new ErrorEvent('error', { message: 'secret' }));
  told.push(await opened.catch(({ message }) => message));
  expect(told).toEqual(['a storage thread died', 'a storage thread died']);
});
