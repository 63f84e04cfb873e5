import type { After } from './clock.ts';

/**
 * Does something again and again: each time so long after the last one is over, failed or not.
 *
 * @param everyMs also passes before the first time
 * @param work never begins when its predecessor is not over
 * @returns what ends it; what runs then goes on
 */
export function every(
  everyMs: number,
  after: After,
  work: () => Promise<void>,
  onFault: (error: unknown) => void,
): () => void {
  let isStopped = false;
  let callOff = () => {};
  const schedule = () => {
    callOff = after(everyMs, () => {
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
    callOff();
  };
}

/**
 * Writes what was collected at intervals, and once more when it is stopped.
 *
 * @param write runs one at a time
 * @returns stops it, waits for the write that runs, and writes what is left
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
