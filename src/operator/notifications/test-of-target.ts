import type { DerivedIdentities } from '../../domain/identity.ts';
import type { Outcome } from '../../domain/notification/delivery.ts';
import type { SendTest } from '../../domain/notification/test-delivery.ts';
import type { Clock } from '../../lib/clock.ts';
import { openTarget, type TargetRecord } from '../../storage/notifications/targets.ts';

interface TestParts {
  readonly identities: Pick<DerivedIdentities, 'targetKey'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sendTest: SendTest;
}

/** Sends tests of stored targets, with the secrets that sign now. */
export const createTargetTest =
  ({ identities, clock, sendTest }: TestParts) =>
  (record: TargetRecord): Promise<Outcome> =>
    sendTest(openTarget(identities.targetKey, record, clock.now()));
