import { loadJobs } from './storage/changes.ts';
import { createThreadSide, type ThreadAnswer, type ThreadRequest } from './storage/engine/threads.ts';
import { THREAD_TASKS } from './storage/thread-tasks.ts';

declare const self: {
  onmessage: (event: MessageEvent<ThreadRequest>) => void;
  postMessage(answer: ThreadAnswer): void;
};

// The entry point of storage threads. It is in the same folder as main.ts, because compiled executables resolve the URLs of
// threads relative to the folder of their entry points.
const answer = createThreadSide(loadJobs, THREAD_TASKS);
self.onmessage = async ({ data }) => self.postMessage(await answer(data));
