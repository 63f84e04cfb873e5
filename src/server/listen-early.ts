import { clientAddress } from '../http/client-address.ts';
import { createLimits } from '../http/limits.ts';
import { RequestMetrics } from '../http/request-metrics.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Listener } from '../runtime/listener.ts';
import { runtime } from '../runtime/runtime.ts';
import type { ServiceInput } from '../settings/service-input.ts';
import { connectionBounds } from './connection-bounds.ts';
import { createWaitingApp } from './waiting-app.ts';

export interface EarlyListening {
  readonly input: ServiceInput;
  readonly log: Log;
  /** What is waited for. */
  readonly reason: () => string;
}

/** Listens where the service will, while its start waits for a database. */
export function listenEarly({ input, log, reason }: EarlyListening): Promise<Listener> {
  const { config, certificate: tls } = input;
  const { host, port, trustedProxies, hstsSeconds, bodyTimeoutSeconds } = config;
  const clock = systemClock;
  const app = createWaitingApp({
    ...{ log, clock, hstsSeconds, bodyTimeoutSeconds, reason },
    requestMetrics: new RequestMetrics(),
    noteAnswer: () => {},
    overTls: tls !== undefined,
    isTidied: runtime.isTidied,
    limits: createLimits(config, clientAddress(runtime.socketAddress, trustedProxies), clock.monotonic),
  });
  return runtime.listen({ host, port, tls, app, bounds: connectionBounds(config, log) });
}
