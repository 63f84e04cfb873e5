import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isRefusal, type Refusal } from '../../src/domain/refusal.ts';
import type { HookContext } from '../../src/http/context.ts';
import { createLimits, type IpLimit } from '../../src/http/limits.ts';

const LICENSE = 1;

/** Limits with a clock controlled by the test, called as by the routes. */
function limitsAt(start: { rateKeyPerMinute: number; rateIpPerMinute?: number }) {
  const clock = { nowMs: 0 };
  const limits = createLimits(
    { rateIpPerMinute: undefined, ...start },
    () => '203.0.113.9',
    () => clock.nowMs,
  );
  /** The limit that stops a Bearer request, and where; none when it is served. */
  const ask = (route?: IpLimit): { refusal?: Refusal; at?: 'address' | 'key' } => {
    const exchange = { requestId: 'r', startedAt: 0, bodyMsMax: 1 };
    const context: HookContext = { request: new Request('http://x.test/'), set: { headers: {}, exchange } };
    let at: 'address' | 'key' = 'address';
    try {
      if (route) limits.perIp(route)(context);
      at = 'key';
      limits.spendKey(context, LICENSE);
      return {};
    } catch (refusal) {
      if (!isRefusal(refusal)) throw refusal;
      return { refusal, at };
    }
  };
  return { clock, ask };
}

describe('Retry-After', () => {
  test('is correct also where a refused request has taken the last token of another limit', () => {
    const { clock, ask } = limitsAt({ rateKeyPerMinute: 100 });
    while (ask().refusal === undefined);
    let refusal = ask('me').refusal;
    for (let again = 1; again < 30; again++) refusal = ask('me').refusal;
    clock.nowMs += (refusal?.retryAfterSeconds ?? 0) * 1_000;
    expect(ask('me').refusal).toBeUndefined();
  });

  test('is correct after any requests: after that time the limit and those before it allow a request', () => {
    const step = fc.record({
      route: fc.constantFrom<(IpLimit | undefined)[]>(undefined, 'me', 'threat-report'),
      pauseMs: fc.integer({ min: 0, max: 3_000 }),
    });
    const perMinute = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(perMinute, perMinute, fc.array(step, { maxLength: 200 }), (key, ip, steps) => {
        const { clock, ask } = limitsAt({ rateKeyPerMinute: key, rateIpPerMinute: ip });
        for (const { route, pauseMs } of steps) {
          clock.nowMs += pauseMs;
          const { refusal, at } = ask(route);
          if (refusal === undefined) continue;
          clock.nowMs += (refusal.retryAfterSeconds ?? 0) * 1_000;
          const again = ask(route).at;
          expect(at === 'key' ? [undefined] : [undefined, 'key']).toContain(again);
        }
      }),
    );
  });
});
