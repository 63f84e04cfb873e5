import { licenseName } from '../domain/license/license.ts';
import { outcomeOf, reasonOf } from '../domain/license/verification.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { Log } from '../lib/log.ts';
import type { HookContext } from './context.ts';
import type { RequestMetrics } from './request-metrics.ts';

export interface AnsweredContext extends HookContext {
  /** The route's pattern, which holds nothing that a caller sent; absent when no route matched. */
  readonly route?: string;
  /** Of an answer that refuses. */
  readonly code?: RefusalCode;
}

/** Counts an answered request and writes one line for it: facts about it, nothing of what it carried. */
export type LogAccess = (context: AnsweredContext) => void;

export const logAccess =
  (log: Log, metrics: Pick<RequestMetrics, 'observe'>, monotonicMs: () => number): LogAccess =>
  ({ request, set: { exchange, status }, route, code }) => {
    if (exchange === undefined) return;
    const { licenseId, verification } = exchange;
    const answered = {
      route: route || '-',
      status: exchange.status ?? Number(status ?? 200),
      durationMs: monotonicMs() - exchange.startedAt,
      verification,
    };
    metrics.observe(answered);
    log.info('request', {
      request_id: exchange.requestId,
      method: request.method,
      route: answered.route,
      status: answered.status,
      code,
      duration_ms: Math.round(answered.durationMs * 100) / 100,
      license: licenseId && licenseName(licenseId),
      outcome: verification && outcomeOf(verification),
      reason: verification && reasonOf(verification),
    });
  };
