import { expect } from 'bun:test';
import type { Reply } from './client.ts';

/**
 * Asks until a limit refuses, and expects that it does so after as many requests as it allows. The limit refills while a slow machine asks.
 *
 * @param perMinute the limit
 * @param ask sends the next request; gets how many were answered
 */
export async function untilLimited(perMinute: number, ask: (answered: number) => Promise<Reply>) {
  const answered: Reply[] = [];
  const since = performance.now();
  for (;;) {
    const reply = await ask(answered.length);
    if (reply.status === 429) {
      expect(answered.length).toBeGreaterThanOrEqual(perMinute);
      return { answered, refused: reply };
    }
    answered.push(reply);
    const refilled = Math.ceil(((performance.now() - since) * perMinute) / 60_000);
    expect(answered.length).toBeLessThanOrEqual(perMinute + refilled);
  }
}
