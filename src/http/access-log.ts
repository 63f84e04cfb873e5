import { licenseName } from '../domain/license.ts';
import type { Log } from '../lib/log.ts';
import type { Caller } from './caller.ts';
import type { HookContext } from './context.ts';

interface AnsweredContext extends HookContext {
  /** The route's pattern, which holds nothing that a caller sent; absent when no route matched. */
  readonly route?: string;
  readonly caller?: Caller;
}

/** A hook that writes one line for each answered request: facts about it, nothing of what it carried. */
export const logAccess =
  (log: Log, monotonicMs: () => number) =>
  ({ request, set, route, caller }: AnsweredContext): void => {
    const { requestId, startedAt, status } = set.exchange ?? { requestId: '-', startedAt: monotonicMs() };
    log.info('request', {
      request_id: requestId,
      method: request.method,
      route: route || '-',
      status: status ?? Number(set.status ?? 200),
      duration_ms: Math.round((monotonicMs() - startedAt) * 100) / 100,
      license: caller && licenseName(caller.license.id),
    });
  };
