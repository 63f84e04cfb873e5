import { API, call, type Reply } from './client.ts';
import { type Env, type RunningService, until } from './service.ts';

/** Settings of a busy service: without compilers, analyses are slow under load. */
export const CROWDED: Env = {
  SERVICE_RATE_KEY_PER_MINUTE: '100000',
  BUN_JSC_useJIT: '0',
  DENO_V8_FLAGS: '--jitless',
};
/** The contents of one license: one is analysed, 32 wait. */
export const PLACES = 33;
const MANY = 100;

/** Callers with the key of one license, and with more contents than can wait for analysis. */
export interface Crowd {
  /** Resolves when every caller was answered or has disconnected. */
  readonly all: Promise<unknown>;
  pending(): number;
  answered(): readonly Reply[];
  refused(): readonly Reply[];
  hangUp(): Promise<unknown>;
}

/** Sends slow contents until one of them is refused, because all places are taken. */
export async function crowd({ url }: RunningService, key: string): Promise<Crowd> {
  const body = { input_type: 'code', content: "'".repeat(8 * 1024) };
  const hangUp = new AbortController();
  const { signal } = hangUp;
  const replies: Reply[] = [];
  let pending = MANY;
  const all = Promise.allSettled(
    Array.from({ length: MANY }, async () => {
      try {
        replies.push(await call(url, `${API}/brain/analyze`, { key, body, signal }));
      } finally {
        pending -= 1;
      }
    }),
  );
  const withStatus = (status: number) => replies.filter((reply) => reply.status === status);
  await until(() => withStatus(503).length > 0);
  return {
    all,
    pending: () => pending,
    answered: () => withStatus(200),
    refused: () => withStatus(503),
    hangUp() {
      hangUp.abort();
      return all;
    },
  };
}
