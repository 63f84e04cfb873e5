import { licenseName } from '../domain/license.ts';
import type { Log } from '../lib/log.ts';
import type { HookContext } from './context.ts';

export interface AnsweredContext extends HookContext {
  /** The route's pattern, which holds nothing that a caller sent; absent when no route matched. */
  readonly route?: string;
}

/** Writes one line for an answered request: facts about it, nothing of what it carried. */
export type LogAccess = (context: AnsweredContext) => void;

export const logAccess =
  (log: Log, monotonicMs: () => number): LogAccess =>
  ({ request, set: { exchange, status }, route }) => {
    if (exchange === undefined) return;
    log.info('request', {
      request_id: exchange.requestId,
      method: request.method,
      route: route || '-',
      status: exchange.status ?? Number(status ?? 200),
      duration_ms: Math.round((monotonicMs() - exchange.startedAt) * 100) / 100,
      license: exchange.licenseId && licenseName(exchange.licenseId),
    });
  };
