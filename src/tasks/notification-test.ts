import type { Deliver, Outcome } from '../domain/notification/delivery.ts';
import type { Target } from '../domain/notification/target.ts';
import { type SendTest, testEvent } from '../domain/notification/test-delivery.ts';
import type { Clock } from '../lib/clock.ts';

interface TestParts {
  /** Creates the function that delivers to a target. */
  readonly deliverTo: (target: Target) => Deliver;
  readonly clock: Pick<Clock, 'now'>;
  /** The page on which the recipient of a mail target confirms it; undefined = the service has no public address to link to. */
  readonly confirmPageOf: (target: Target) => string | undefined;
}

/** Maximum number of running tests. Each may wait for its receiver as long as a delivery. */
const TESTS_MAX = 8;
/** Maximum per tenant, whose receivers may be slow on purpose. */
const TESTS_OF_TENANT_MAX = 2;

export function createSendTest({ deliverTo, clock, confirmPageOf }: TestParts): SendTest {
  const sending: Target['licenseId'][] = [];
  return async (target, confirmUntil) => {
    const link = confirmUntil === undefined ? undefined : confirmPageOf(target);
    if (confirmUntil !== undefined && link === undefined) return NO_LINK;
    const { licenseId } = target;
    if (sending.length >= TESTS_MAX) return busy(TESTS_MAX);
    if (licenseId !== null && sending.filter((owner) => owner === licenseId).length >= TESTS_OF_TENANT_MAX)
      return busy(TESTS_OF_TENANT_MAX);
    sending.push(licenseId);
    try {
      const events = [testEvent(target.name, clock.now())] as const;
      const { isPersonalIncluded } = target;
      const confirm = link === undefined ? {} : { confirm: { link, until: confirmUntil ?? 0 } };
      return await deliverTo(target)({ events, isPersonalIncluded, ...confirm });
    } finally {
      sending.splice(sending.indexOf(licenseId), 1);
    }
  };
}

const NO_LINK: Outcome = {
  outcome: 'refused',
  status: null,
  latencyMs: 0,
  reason: 'The service has no public address, so recipients cannot confirm. Contact your provider.',
};

const busy = (count: number): Outcome => ({
  outcome: 'failed',
  status: null,
  latencyMs: 0,
  reason: `${count} tests are already running. Try again in a few seconds.`,
});
