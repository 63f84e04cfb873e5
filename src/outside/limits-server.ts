import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { SECOND_MS } from '../lib/clock.ts';
import type { AskForGrants, GroupedDraw, GroupedGrant } from '../lib/shared-draws.ts';
import { within } from '../lib/within.ts';
import type { LimitsAddress } from '../settings/limits-address.ts';
import { DRAW_SCRIPT } from './limits-script.ts';
import { worded } from './limits-trouble.ts';

/**
 * A Valkey or Redis server with the token buckets of all nodes. It must be one server: in a cluster, the keys would be on
 * several.
 */
export interface LimitsServer {
  /** Rejects with a Fault; immediately while there is no connection. */
  readonly ask: AskForGrants;
  close(): void;
}

/** Time limit for connecting, and for the wait at startup. */
const CONNECT_MS_MAX = 2 * SECOND_MS;
/** A connection on which a request stays unanswered for this long is replaced. */
const SILENT_MS_MAX = SECOND_MS;
const RECONNECT_MS_STEP = 100;
const RECONNECT_MS_MAX = SECOND_MS;
const MICROSECONDS_PER_MS = 1_000;
/** Draws nothing, but writes: a server that refuses writes would answer a read. */
const PROBE: GroupedDraw = { bucket: 'probe', licenseId: 0, capacity: 1, units: 1, count: 0 };
const SCRIPT_SHA = createHash('sha1').update(DRAW_SCRIPT).digest('hex');

/**
 * Connects to a server. Reconnects automatically, also after a failure at startup.
 *
 * @param prefix of the keys; tells apart installations that share a server
 * @returns after the first connection or the first error, or after two seconds
 */
export async function connectLimitsServer(address: LimitsAddress, prefix: string): Promise<LimitsServer> {
  const { Redis } = await import('ioredis');
  const redis = new Redis({
    ...address.at,
    ...(address.user === undefined ? {} : { username: address.user }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls === undefined ? {} : { tls: address.tls }),
    db: address.db,
    // RESP3 has no feature that is needed here, and older servers do not support it.
    protocol: 2,
    disableClientInfo: true,
    enableReadyCheck: false,
    // Requests neither wait for a connection nor are repeated.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENT_MS_MAX,
    retryStrategy: (times) => Math.min(times * RECONNECT_MS_STEP, RECONNECT_MS_MAX),
    // After a failover, the name may resolve to the new primary.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
  });
  const errors = watchConnectionErrors(redis);
  await within(errors.firstEvent, CONNECT_MS_MAX);
  return {
    async ask(draws) {
      try {
        const lastError = errors.last();
        if (lastError) throw lastError;
        return grantsIn(await runScript(redis, prefix, draws), draws);
      } catch (error) {
        throw worded(errors.last() ?? error);
      }
    },
    close: () => redis.disconnect(),
  };
}

/**
 * Remembers the last connection error. It stays while reconnecting, and is cleared only when a connection becomes ready without
 * any error: a server that rejects SELECT becomes ready all the same, and would count in another database.
 */
function watchConnectionErrors(redis: Redis): { last(): Error | undefined; firstEvent: Promise<void> } {
  let last: Error | undefined;
  let current: Error | undefined;
  const firstEvent = new Promise<void>((resolve) => {
    redis.once('ready', resolve);
    redis.once('error', () => resolve());
  });
  redis.on('connect', () => {
    current = undefined;
  });
  // Without a listener, an error event would end the process.
  redis.on('error', (error: Error) => {
    last = current = error;
  });
  redis.on('ready', () => {
    last = current;
  });
  return { last: () => last, firstEvent };
}

/** Calls the script by its hash; sends the source if the server does not know it, such as after a restart. */
async function runScript(redis: Redis, prefix: string, draws: readonly GroupedDraw[]): Promise<unknown> {
  if (draws.length === 0) return runScript(redis, prefix, [PROBE]);
  const keys = draws.map(({ bucket, licenseId }) => `${prefix}:${bucket}:${licenseId}`);
  const parameters = [...keys, ...draws.flatMap(({ capacity, count, units }) => [capacity, count, units])];
  try {
    return await redis.evalsha(SCRIPT_SHA, keys.length, ...parameters);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return redis.eval(DRAW_SCRIPT, keys.length, ...parameters);
  }
}

function grantsIn(answer: unknown, draws: readonly GroupedDraw[]): GroupedGrant[] {
  const numbers = answer as readonly number[];
  return draws.map((_, index) => ({
    granted: numbers[2 * index] ?? 0,
    fullInMs: (numbers[2 * index + 1] ?? 0) / MICROSECONDS_PER_MS,
  }));
}
