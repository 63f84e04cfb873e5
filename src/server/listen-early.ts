import { clientAddress } from '../http/client-address.ts';
import { createLimits } from '../http/limits.ts';
import { RequestMetrics } from '../http/request-metrics.ts';
import { SECOND_MS, systemAfter, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { runtime } from '../runtime/runtime.ts';
import type { ServiceInput } from '../settings/service-input.ts';
import { connectionBounds } from './connection-bounds.ts';
import type { OpenListener } from './open-listener.ts';
import { listenForPublic } from './public-listener.ts';
import { createWaitingApp } from './waiting-app.ts';

/** Delay before a waiting start opens the listener. */
const LATE_MS = 2 * SECOND_MS;

export interface EarlyListening {
  readonly input: ServiceInput;
  readonly log: Log;
}

/**
 * Opens the public listener while a slow start waits for a database on another host, so that monitoring sees the reason. Other
 * starts keep it closed: balancers retry refused connections on other nodes, but not all answered requests.
 */
export function listenWhenLate(closing: AsyncDisposableStack, { input, log }: EarlyListening) {
  let reason = 'the database is unreachable';
  let isTaken = false;
  let listening: Promise<OpenListener> | undefined;
  const listenNow = () => {
    listening ??= listenEarly({ input, log, reason: () => reason });
    listening.catch(() => {});
  };
  closing.defer(() =>
    isTaken ? undefined : listening?.then(({ listener }) => listener.stop()).catch(() => {}),
  );
  const cancel = input.databaseAddress === undefined ? () => {} : systemAfter(LATE_MS, listenNow);
  closing.defer(cancel);

  return {
    /** Opens the listener with the reason for the wait. */
    waitFor(why: string): void {
      reason = why;
      listenNow();
    },
    /** The start is in time: no listener is opened any more. */
    cancel,
    /** Hands over the open listener, which the caller then has to stop; undefined when none is open. */
    async take(): Promise<OpenListener | undefined> {
      const open = await listening;
      isTaken = open !== undefined;
      return open;
    },
  };
}

interface WaitingListener extends EarlyListening {
  /** Why the start is waiting. */
  readonly reason: () => string;
}

function listenEarly({ input, log, reason }: WaitingListener): Promise<OpenListener> {
  const { config, certificate: tls } = input;
  const { trustedProxies, hstsSeconds, bodyTimeoutSeconds } = config;
  const clock = systemClock;
  const app = createWaitingApp({
    log,
    clock,
    hstsSeconds,
    bodyTimeoutSeconds,
    reason,
    requestMetrics: new RequestMetrics(),
    noteAnswer: () => {},
    overTls: tls !== undefined,
    isTidied: runtime.isTidied,
    limits: createLimits(config, clientAddress(runtime.socketAddress, trustedProxies), clock.monotonic),
  });
  return listenForPublic({ input, app, bounds: connectionBounds(config, log), log });
}
