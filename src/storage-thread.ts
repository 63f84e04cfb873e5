import { createThreadSide, type ThreadAnswer, type ThreadRequest } from './storage/engine/threads.ts';

declare const self: {
  onmessage: (event: MessageEvent<ThreadRequest>) => void;
  postMessage(answer: ThreadAnswer): void;
};

// The entry of every storage thread. It stands beside main.ts because a compiled executable resolves a thread's address
// against the folder of its entry points.
const answer = createThreadSide();
self.onmessage = async ({ data }) => self.postMessage(await answer(data));
