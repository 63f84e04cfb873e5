import type { Deliver } from '../domain/notification/delivery.ts';
import type { Target } from '../domain/notification/target.ts';
import { type SendTest, testEvent } from '../domain/notification/test-delivery.ts';
import type { Clock } from '../lib/clock.ts';

interface TestParts {
  /** How deliveries reach a target. */
  readonly deliverTo: (target: Target) => Deliver;
  readonly clock: Pick<Clock, 'now'>;
}

/** Tests that are on their way together; each can wait for its receiver as long as a delivery does. */
const TESTS_MAX = 8;

/** Sends tests of targets. */
export function createSendTest({ deliverTo, clock }: TestParts): SendTest {
  let sending = 0;
  return async (target) => {
    if (sending >= TESTS_MAX) return BUSY;
    sending += 1;
    try {
      const events = [testEvent(target.name, clock.now())] as const;
      return await deliverTo(target)({ events, isPersonalIncluded: target.isPersonalIncluded });
    } finally {
      sending -= 1;
    }
  };
}

const BUSY = {
  outcome: 'failed',
  status: null,
  latencyMs: 0,
  reason: `${TESTS_MAX} tests are already running. Try again in a few seconds.`,
} as const;
