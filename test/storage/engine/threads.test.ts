import { expect, test } from 'bun:test';
import { openStorageThread, runBeside } from '../../../src/storage/engine/threads.ts';

test("the death of a thread is reported, and its current and later requests fail in Redoubt's words", async () => {
  const told: string[] = [];
  const worker = { postMessage() {}, terminate: () => told.push('ended') } as unknown as Worker;
  const die = () => worker.onerror?.(new ErrorEvent('error', { message: 'secret' }));
  const opening = openStorageThread(worker, '', (message) => told.push(message));
  die();
  told.push(await opening.catch(({ message }) => message));
  expect(told.splice(0)).toEqual(['a storage thread died', 'ended', 'a storage thread died']);

  const opened = openStorageThread(worker, '', () => {});
  worker.onmessage?.(new MessageEvent('message', { data: { value: undefined } }));
  const thread = await opened;
  die();
  await expect(thread.commit([])).rejects.toThrow('a storage thread died');
  await expect(thread.close()).rejects.toThrow('a storage thread died');
  expect(told).toEqual(['ended']);
});

test('a thread of one task ends after the task, and immediately when it is cancelled', async () => {
  let ended = 0;
  const worker = { postMessage() {}, terminate: () => ++ended } as unknown as Worker;
  const calling = new AbortController();
  const look = () => runBeside<unknown>(worker, 'backup', { path: '/a' }, calling.signal);
  const over = look();
  worker.onmessage?.(new MessageEvent('message', { data: { value: { problem: null } } }));
  expect([await over, ended]).toEqual([{ problem: null }, 1]);
  const calledOff = look();
  calling.abort();
  expect(ended).toBe(2);
  await expect(calledOff).rejects.toThrow('a storage thread was ended');
});
