import { expect } from 'bun:test';
import { prepare } from '../../src/storage/engine/statement.ts';
import { API, call } from './client.ts';
import { inDatabase } from './nodes.ts';
import { type Env, type RunningService, until } from './service.ts';

const SENDERS = 4;
/** Between two requests of a sender, so that it leaves processor time to the tests of other files. */
export const PACE_MS = 5;
/** A caller is answered within two seconds; a busy machine may need more to send and read it. */
const ANSWERED_MS_MAX = 2_000 + 3_000;

/** Clients that send named events to nodes, one after the other, during a test. */
export interface Senders {
  /** Waits until the given number of additional events was acknowledged. */
  more(count: number): Promise<void>;
  /** Stops them, and compares their answers with the database. */
  loseNothing(env: Env): Promise<void>;
  end(): Promise<void>;
}

/**
 * Each behaves like a client behind a balancer: each request goes to the next node, and to another one after
 * any failure, which must be a refusal with `Retry-After`.
 *
 * @param services the current nodes
 */
export function startSenders(services: () => readonly RunningService[], key: string): Senders {
  let isOver = false;
  let slowestMs = 0;
  const acknowledged: string[] = [];
  const send = async (sender: number): Promise<void> => {
    let next = sender;
    for (let index = 0; !isOver; index++) {
      const event_id = `${sender}-${index}`;
      const body = { domain: 'a.example.com', events: [{ type: 'login_failed', event_id }] };
      for (let isStored = false; !isStored && !isOver; ) {
        const { url = '' } = services()[next++ % services().length] ?? {};
        const begun = performance.now();
        const reply = await call(url, `${API}/telemetry`, { key, body }).catch((error) => {
          // The connection to a killed node.
          if (error instanceof TypeError || /connect|socket|closed/i.test(String(error))) return undefined;
          throw error;
        });
        if (reply === undefined) continue;
        slowestMs = Math.max(slowestMs, performance.now() - begun);
        if (reply.status !== 200)
          expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
        isStored = reply.status === 200;
      }
      if (!isOver) acknowledged.push(event_id);
      await Bun.sleep(PACE_MS);
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  const end = async () => {
    isOver = true;
    await sending;
  };
  return {
    end,
    more(count) {
      const before = acknowledged.length;
      return until(() => acknowledged.length > before + count, 20_000).then(() => {});
    },
    async loseNothing(env) {
      await end();
      const kept = await inDatabase(env, (db) =>
        prepare<{ id: string }>(db, 'select event_id as id from events').all(),
      );
      const ids = new Set(kept.map(({ id }) => id));
      expect(ids.size).toBe(kept.length);
      expect(acknowledged.length).toBeGreaterThan(100);
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(slowestMs).toBeLessThan(ANSWERED_MS_MAX);
    },
  };
}
