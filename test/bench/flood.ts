import { connect } from 'node:net';
import { workerData } from 'node:worker_threads';

// A thread that attacks a service like a hostile client, for a limited time.

/** The work of each of its connections. */
export type Attack =
  /** Sends a text repeatedly without waiting for answers, over a new connection when the service ends one. */
  | { readonly kind: 'unawaited'; readonly text: string }
  /** Sends the next request as soon as the previous one was answered. */
  | {
      readonly kind: 'ask';
      readonly path: string;
      readonly key: string;
      readonly body: string;
      /** The status of the expected answer. */
      readonly status: number;
    }
  /** Stays connected and sends nothing. */
  | { readonly kind: 'idle' };

export interface Flood {
  readonly url: string;
  readonly attack: Attack;
  readonly connections: number;
  readonly seconds: number;
}

const { url, attack, connections, seconds } = workerData as Flood;
const { hostname, port } = new URL(url);
const endsAt = performance.now() + seconds * 1_000;
const isOver = () => performance.now() >= endsAt;

async function ask({ path, key, body, status }: Extract<Attack, { kind: 'ask' }>): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(url + path, { method: 'POST', headers, body });
  await answer.bytes();
  if (answer.status !== status) throw new Error(`${path} was answered with ${answer.status}`);
}

const connection = (bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => socket.destroy(), Math.max(1, endsAt - performance.now()));
    const send = () => {
      if (bytes.length > 0 && !socket.destroyed) socket.write(bytes, () => setTimeout(send));
    };
    socket.on('connect', send);
    socket.on('data', () => {});
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });

const text = attack.kind === 'unawaited' ? Buffer.from(attack.text) : Buffer.alloc(0);
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (!isOver()) await (attack.kind === 'ask' ? ask(attack) : connection(text));
  }),
);
