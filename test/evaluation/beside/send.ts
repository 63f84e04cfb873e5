import { connect } from 'node:net';

const IN_FLIGHT = 16;
const PATIENCE_MS = 10_000;

/** The status that a request is answered with; 0 when it is not answered. */
export function statusOf(port: number, request: Buffer): Promise<number> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    const end = (status: number) => {
      socket.destroy();
      resolve(status);
    };
    socket.setTimeout(PATIENCE_MS, () => end(0));
    socket.on('error', () => end(0));
    socket.on('close', () => end(0));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      const status = /^(?:HTTP\/1\.\d 1\d\d .*\r\n(?:.+\r\n)*\r\n)*HTTP\/1\.\d ([2-5]\d\d)/.exec(answer)?.[1];
      if (status !== undefined) end(Number(status));
    });
  });
}

/** The statuses of requests, in their order. */
export async function answersOf(port: number, requests: readonly Buffer[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  const queue = requests.entries();
  const worker = async () => {
    for (const [index, request] of queue) statuses[index] = await statusOf(port, request);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return statuses;
}
