import { loadJobs } from './storage/changes.ts';
import { createThreadSide, type ThreadAnswer, type ThreadRequest } from './storage/engine/threads.ts';
import { THREAD_TASKS } from './storage/thread-tasks.ts';

declare const self: {
  onmessage: (event: MessageEvent<ThreadRequest>) => void;
  postMessage(answer: ThreadAnswer): void;
};

// The entry of every storage thread. It stands beside main.ts because a compiled executable resolves a thread's address
// against the folder of its entry points.
const answer = createThreadSide(loadJobs, THREAD_TASKS);
self.onmessage = async ({ data }) => self.postMessage(await answer(data));
