import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { SECOND_MS } from '../lib/clock.ts';
import type { AskForGrants, GroupedDraw, GroupedGrant } from '../lib/shared-draws.ts';
import { within } from '../lib/within.ts';
import type { LimitsAddress } from '../settings/limits-address.ts';
import { DRAW_SCRIPT } from './limits-script.ts';
import { worded } from './limits-trouble.ts';

/** A server of Valkey or Redis that keeps token buckets for all nodes. One server alone: no cluster, whose keys are in several places. */
export interface LimitsServer {
  /** Rejects with a Fault, at once while there is no connection. */
  readonly ask: AskForGrants;
  close(): void;
}

/** How long a connection may take to be made, and a start may wait for it. */
const CONNECT_MS_MAX = 2 * SECOND_MS;
/** A connection that leaves a request unanswered for this long is replaced. */
const SILENT_MS_MAX = SECOND_MS;
const RECONNECT_MS_STEP = 100;
const RECONNECT_MS_MAX = SECOND_MS;
const MICROSECONDS_PER_MS = 1_000;
/** Takes nothing, and is written all the same: a server that takes no changes would answer what is only read. */
const PROBE: GroupedDraw = { bucket: 'probe', licenseId: 0, capacity: 1, units: 1, count: 0 };
const SCRIPT_SHA = createHash('sha1').update(DRAW_SCRIPT).digest('hex');

/**
 * Connects to a server, by itself again whenever the connection is lost, also when there is none at the start.
 *
 * @param prefix of the keys, which tells installations apart that share a server
 * @returns when it is connected, or cannot be for now
 */
export async function connectLimitsServer(address: LimitsAddress, prefix: string): Promise<LimitsServer> {
  const { Redis } = await import('ioredis');
  const redis = new Redis({
    ...address.at,
    ...(address.user === undefined ? {} : { username: address.user }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls === undefined ? {} : { tls: address.tls }),
    db: address.db,
    // Of the third version there is nothing that is needed, and older servers know it not.
    protocol: 2,
    disableClientInfo: true,
    enableReadyCheck: false,
    // No request waits for a connection, and none is sent twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENT_MS_MAX,
    retryStrategy: (times) => Math.min(times * RECONNECT_MS_STEP, RECONNECT_MS_MAX),
    // The name may be that of another server by now, which takes changes.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
  });
  const trouble = watchTrouble(redis);
  await within(trouble.firstWord, CONNECT_MS_MAX);
  return {
    async ask(draws) {
      try {
        const found = trouble.last();
        if (found) throw found;
        return grantsIn(await drawnBy(redis, prefix, draws), draws);
      } catch (error) {
        throw worded(trouble.last() ?? error);
      }
    },
    close: () => redis.disconnect(),
  };
}

/**
 * What keeps the connection from being one. It is remembered while another is made, and is over when one was made without any: a
 * server that has no such database says so, and would count in another one.
 */
function watchTrouble(redis: Redis): { last(): Error | undefined; firstWord: Promise<void> } {
  let last: Error | undefined;
  let ofThisOne: Error | undefined;
  const firstWord = new Promise<void>((resolve) => {
    redis.once('ready', resolve);
    redis.once('error', () => resolve());
  });
  redis.on('connect', () => {
    ofThisOne = undefined;
  });
  // Without anybody who hears of it, an error would end the process.
  redis.on('error', (error: Error) => {
    last = ofThisOne = error;
  });
  redis.on('ready', () => {
    last = ofThisOne;
  });
  return { last: () => last, firstWord };
}

/** Calls the script by its short hash; a restarted server does not know it yet. */
async function drawnBy(redis: Redis, prefix: string, draws: readonly GroupedDraw[]): Promise<unknown> {
  if (draws.length === 0) return drawnBy(redis, prefix, [PROBE]);
  const keys = draws.map(({ bucket, licenseId }) => `${prefix}:${bucket}:${licenseId}`);
  const words = [...keys, ...draws.flatMap(({ capacity, count, units }) => [capacity, count, units])];
  try {
    return await redis.evalsha(SCRIPT_SHA, keys.length, ...words);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return redis.eval(DRAW_SCRIPT, keys.length, ...words);
  }
}

function grantsIn(answer: unknown, draws: readonly GroupedDraw[]): GroupedGrant[] {
  const numbers = answer as readonly number[];
  return draws.map((_, index) => ({
    granted: numbers[2 * index] ?? 0,
    fullInMs: (numbers[2 * index + 1] ?? 0) / MICROSECONDS_PER_MS,
  }));
}
