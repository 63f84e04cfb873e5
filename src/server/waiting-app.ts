import { type Refusal, refuse } from '../domain/refusal.ts';
import { type FoundationParts, onFoundation } from '../http/foundation.ts';
import type { Limits } from '../http/limits.ts';
import { behind, getAt } from '../http/route/endpoint.ts';
import { CHECKOUT } from '../routes/checkout.ts';
import { LICENSE_VERIFY } from '../routes/license.ts';
import { TRIAL } from '../routes/trial.ts';
import type { Served } from '../runtime/listener.ts';
import { CHECKS } from './app.ts';
import { BASE } from './public-routes.ts';

const RETRY_SECONDS = 1;

export interface WaitingAppParts
  extends Pick<
    FoundationParts,
    | 'log'
    | 'clock'
    | 'requestMetrics'
    | 'noteAnswer'
    | 'overTls'
    | 'hstsSeconds'
    | 'bodyTimeoutSeconds'
    | 'isTidied'
  > {
  readonly limits: Pick<Limits, 'peek'>;
  /** Why the start is waiting; safe to show to unauthenticated callers. */
  readonly reason: () => string;
}

/** Answers requests while the start waits for the database: alive, but not ready. */
export function createWaitingApp({ reason, limits, ...parts }: WaitingAppParts): Served {
  const unavailable = (): Refusal =>
    refuse('STORE_UNAVAILABLE', 'The service is starting. Try again.', RETRY_SECONDS);
  const answering = onFoundation(
    {
      ...parts,
      flatPaths: { [BASE + LICENSE_VERIFY]: {}, [BASE + TRIAL]: {}, [BASE + CHECKOUT]: {} },
      pageAt: () => undefined,
      awayRefusal: () => undefined,
      countUnknownPath: unavailable,
      showLimits: (context) => limits.peek(context, undefined),
    },
    behind(
      ({ request, set }) => limits.peek({ request, set }, undefined),
      [
        getAt('/healthz', () => ({ status: 'alive' })),
        getAt('/readyz', ({ set }) => {
          set.status = 503;
          return { status: 'not ready', problems: [reason()], warnings: [] };
        }),
      ],
    ),
  );
  return { ...answering, checks: CHECKS };
}
