import fc from 'fast-check';
import { HOLDS, type Hold } from '../../src/domain/license/license.ts';

/** Suspension reasons of a license, mostly none. */
export const holds = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Hold[]>([]) },
  fc.subarray<Hold>([...HOLDS]),
);

/** Terms that end at one of the given moments. */
export const termsUntil = (moments: fc.Arbitrary<number | null>) =>
  ({
    kind: fc.constantFrom('paid', 'trial'),
    plan: fc.constantFrom('free', 'pro'),
    sitesOverride: fc.constant(null),
    modulesAllowed: fc.constant<string[]>([]),
    expiresAt: moments,
  }) as const;
