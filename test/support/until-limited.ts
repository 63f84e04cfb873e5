import { expect } from 'bun:test';
import type { Reply } from './client.ts';

/**
 * Sends requests until a limit refuses, and expects as many successes as it allows. The limit refills on a
 * slow machine.
 *
 * @param perMinute the limit
 * @param ask sends the next request; gets the number of answers so far
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
