import { licenseName } from '../domain/license/license-name.ts';
import { outcomeOf, reasonOf, type Verification } from '../domain/license/verification.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { Log } from '../lib/log.ts';
import type { HookContext } from './context.ts';
import type { RequestMetrics } from './request-metrics.ts';

export interface AnsweredContext extends HookContext {
  /** The route's pattern, without values from the request; absent when no route matched. */
  readonly route?: string | undefined;
  /** Refusals only. */
  readonly code?: RefusalCode;
}

/** The answer to a request of a known license, for the operator. Only the domain comes from the caller. */
export interface LicenseAnswer {
  readonly licenseId: number;
  /** The route's pattern, or `-`. */
  readonly route: string;
  /** Refusals only. */
  readonly code: RefusalCode | undefined;
  /** license/verify only. */
  readonly verification: Verification | undefined;
  /** Refusals of license/verify only: the domain as sent. */
  readonly domain: string | undefined;
}
export type NoteAnswer = (answer: LicenseAnswer) => void;

/** Counts an answered request and logs it in one line, without contents of the request. */
export type LogAccess = (context: AnsweredContext) => void;

/** @param note called for refusals of known licenses, and for each result of license/verify */
export const logAccess =
  (
    log: Log,
    metrics: Pick<RequestMetrics, 'observe'>,
    monotonicMs: () => number,
    note: NoteAnswer,
  ): LogAccess =>
  ({ request, set: { exchange, status }, route, code }) => {
    if (exchange === undefined || exchange.inside) return;
    const { licenseId, tokenName, operatorName, signIn, verification, refusedDomain: domain } = exchange;
    const answered = {
      route: route || '-',
      status: exchange.status ?? Number(status ?? 200),
      durationMs: monotonicMs() - exchange.startedAt,
      verification,
      signIn,
    };
    metrics.observe(answered);
    const isRefused = code !== undefined && answered.status < 500;
    if (licenseId !== undefined && (verification || isRefused)) {
      note({ licenseId, route: answered.route, code, verification, domain });
    }
    log.info('request', {
      request_id: exchange.requestId,
      method: request.method,
      route: answered.route,
      status: answered.status,
      code,
      duration_ms: Math.round(answered.durationMs * 100) / 100,
      license: licenseId && licenseName(licenseId),
      token: tokenName,
      operator: operatorName,
      outcome: verification && outcomeOf(verification),
      reason: verification && reasonOf(verification),
    });
  };
