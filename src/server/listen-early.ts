import { clientAddress } from '../http/client-address.ts';
import { createLimits } from '../http/limits.ts';
import { RequestMetrics } from '../http/request-metrics.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { runtime } from '../runtime/runtime.ts';
import type { ServiceInput } from '../settings/service-input.ts';
import { connectionBounds } from './connection-bounds.ts';
import type { OpenListener } from './open-listener.ts';
import { listenForPublic } from './public-listener.ts';
import { createWaitingApp } from './waiting-app.ts';

export interface EarlyListening {
  readonly input: ServiceInput;
  readonly log: Log;
  /** What is waited for. */
  readonly reason: () => string;
}

/** Listens where the service will, while its start waits for a database. */
export function listenEarly({ input, log, reason }: EarlyListening): Promise<OpenListener> {
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
