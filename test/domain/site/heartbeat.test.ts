import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { heartbeatSeconds } from '../../../src/domain/site/heartbeat.ts';
import { siteStatus } from '../../../src/domain/site/site-status.ts';

const sites = fc.integer({ min: 0, max: 5_000 });
const limit = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1_000_000_000 }));

test('all sites of a license together use at most half of its rate limit', () => {
  fc.assert(
    fc.property(sites, limit, (count, perMinute) => {
      const seconds = heartbeatSeconds(count, perMinute);
      expect(Number.isInteger(seconds)).toBe(true);
      expect(seconds).toBeGreaterThanOrEqual(300);
      expect((count / seconds) * 60).toBeLessThanOrEqual(perMinute / 2);
      if (seconds > 300) expect((count / (seconds - 1)) * 60).toBeGreaterThan(perMinute / 2);
    }),
  );
});

test('a site with punctual heartbeats is active, even if two of them fail', () => {
  fc.assert(
    fc.property(sites, limit, (count, perMinute) => {
      const seconds = heartbeatSeconds(count, perMinute);
      expect(siteStatus(0, seconds * 3_000 - 1, seconds)).toBe('active');
    }),
  );
});

test.each([
  [1, 100, 300],
  [250, 100, 300],
  [251, 100, 302],
  [1_000, 100, 1_200],
  [2_000, 100, 2_400],
  [2_000, 100_000, 300],
])('%d sites at %d requests a minute: %d seconds', (count, perMinute, seconds) => {
  expect(heartbeatSeconds(count, perMinute)).toBe(seconds);
});
