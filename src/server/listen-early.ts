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

/** How long a start may take before its listener says what it waits for. */
const LATE_MS = 2 * SECOND_MS;

export interface EarlyListening {
  readonly input: ServiceInput;
  readonly log: Log;
}

/**
 * Listens where the service will, once its start waits for a database on another host for long, so that monitoring learns why. A
 * start in time opens no such listener: a balancer retries a refused connection on another node, but not every answered request.
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
  const inTime = input.databaseAddress === undefined ? () => {} : systemAfter(LATE_MS, listenNow);
  closing.defer(inTime);

  return {
    /** Listens now, because the start waits. */
    waitFor(why: string): void {
      reason = why;
      listenNow();
    },
    /** Listens no more from now on, unless it does already. */
    inTime,
    /** The open listener, which the caller stops from now on; undefined when there is none. */
    async take(): Promise<OpenListener | undefined> {
      const open = await listening;
      isTaken = open !== undefined;
      return open;
    },
  };
}

interface WaitingListener extends EarlyListening {
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
