import type { After } from './clock.ts';

/**
 * Repeats asynchronous work. Each run starts a fixed time after the previous one has ended, successfully or not.
 *
 * @param everyMs also the delay of the first run
 * @param work runs never overlap
 * @returns a function that stops the repetition, but not a current run
 */
export function every(
  everyMs: number,
  after: After,
  work: () => Promise<void>,
  onFault: (error: unknown) => void,
): () => void {
  let isStopped = false;
  let cancel = () => {};
  const schedule = () => {
    cancel = after(everyMs, () => {
      void work()
        .catch(onFault)
        .then(() => {
          if (!isStopped) schedule();
        });
    });
  };
  schedule();
  return () => {
    isStopped = true;
    cancel();
  };
}

/**
 * Writes collected data at intervals, and a last time when stopped.
 *
 * @param write runs never overlap
 * @returns a function that stops the repetition, waits for a current write, and writes the rest
 */
export function flushEvery(
  everyMs: number,
  after: After,
  write: () => Promise<void>,
  onFault: (error: unknown) => void,
): () => Promise<void> {
  let writing = Promise.resolve();
  const work = () => {
    writing = write();
    return writing;
  };
  const end = every(everyMs, after, work, onFault);
  return async () => {
    end();
    await writing;
    await write();
  };
}
