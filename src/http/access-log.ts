import type { Log } from '../lib/log.ts';
import type { Caller } from './caller.ts';
import { HEADER, type HookContext } from './context.ts';

interface AnsweredContext extends HookContext {
  /** The route's pattern, which holds nothing that a caller sent; absent when no route matched. */
  readonly route?: string;
  readonly caller?: Caller;
}

/** Hooks that write one line for each answered request: facts about it, nothing of what it carried. */
export function accessLog(log: Log, monotonicMs: () => number) {
  const startedAt = new WeakMap<Request, number>();
  return {
    start: ({ request }: HookContext): void => {
      startedAt.set(request, monotonicMs());
    },
    end: ({ request, set, route, caller }: AnsweredContext): void => {
      const started = startedAt.get(request);
      log.info('request', {
        request_id: set.headers[HEADER.requestId],
        method: request.method,
        route: route || '-',
        status: Number(set.status ?? 200),
        duration_ms: started === undefined ? undefined : Math.round((monotonicMs() - started) * 100) / 100,
        license: caller && `lic_${caller.license.id}`,
      });
    },
  };
}
