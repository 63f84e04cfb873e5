import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isRefusal, type Refusal } from '../../src/domain/refusal.ts';
import type { HookContext } from '../../src/http/context.ts';
import { createLimits, type IpLimit } from '../../src/http/limits.ts';

const LICENSE = 1;

/** Limits on a clock that a test moves, asked as the routes ask them. */
function limitsAt(start: { rateKeyPerMinute: number; rateIpPerMinute?: number }) {
  const clock = { nowMs: 0 };
  const limits = createLimits(
    { rateIpPerMinute: undefined, ...start },
    () => '203.0.113.9',
    () => clock.nowMs,
  );
  /** What stops a Bearer request, undefined when nothing does. */
  const ask = (route?: IpLimit): { refusal: Refusal | undefined; headers: HookContext['set']['headers'] } => {
    const exchange = { requestId: 'r', startedAt: 0, bodyMsMax: 1 };
    const context: HookContext = { request: new Request('http://x.test/'), set: { headers: {}, exchange } };
    const { headers } = context.set;
    try {
      if (route) limits.perIp(route)(context);
      limits.refuseGuessing(context);
      limits.spendKey(context, LICENSE);
      return { refusal: undefined, headers };
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal;
      return { refusal, headers };
    }
  };
  return { clock, ask };
}

describe('Retry-After', () => {
  test('is true also where a refused request has taken the last token of another limit', () => {
    const { clock, ask } = limitsAt({ rateKeyPerMinute: 100 });
    while (ask().refusal === undefined);
    let refusal = ask('me').refusal;
    for (let again = 1; again < 30; again++) refusal = ask('me').refusal;
    clock.nowMs += (refusal?.retryAfterSeconds ?? 0) * 1_000;
    expect(ask('me').refusal).toBeUndefined();
  });

  test('is true whatever came before, while keys are refilled no slower than addresses', () => {
    const step = fc.record({
      route: fc.constantFrom<(IpLimit | undefined)[]>(undefined, 'me', 'threat-report'),
      pauseMs: fc.integer({ min: 0, max: 3_000 }),
    });
    const perMinute = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(perMinute, perMinute, fc.array(step, { maxLength: 200 }), (one, other, steps) => {
        const { clock, ask } = limitsAt({
          rateKeyPerMinute: Math.max(one, other),
          rateIpPerMinute: Math.min(one, other),
        });
        for (const { route, pauseMs } of steps) {
          clock.nowMs += pauseMs;
          const { refusal, headers } = ask(route);
          if (refusal === undefined) continue;
          expect(headers['x-ratelimit-remaining']).toBe('0');
          clock.nowMs += (refusal.retryAfterSeconds ?? 0) * 1_000;
          expect(ask(route).refusal).toBeUndefined();
        }
      }),
    );
  });
});
