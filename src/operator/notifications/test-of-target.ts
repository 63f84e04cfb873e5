import type { DerivedIdentities } from '../../domain/identity.ts';
import type { Outcome } from '../../domain/notification/delivery.ts';
import { CONFIRM_MS } from '../../domain/notification/target.ts';
import type { SendTest } from '../../domain/notification/test-delivery.ts';
import type { Clock } from '../../lib/clock.ts';
import { openTarget, type TargetRecord } from '../../storage/notifications/targets.ts';

interface TestParts {
  readonly identities: Pick<DerivedIdentities, 'targetKey'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sendTest: SendTest;
}

/** Sends tests of stored targets, with the secrets that sign now. A recipient who has not agreed yet is asked to, and gets nothing else. */
export const createTargetTest =
  ({ identities, clock, sendTest }: TestParts) =>
  (record: TargetRecord): Promise<Outcome> =>
    sendTest(
      openTarget(identities.targetKey, record, clock.now()),
      record.pausedReason === 'unconfirmed' ? record.createdAt + CONFIRM_MS : undefined,
    );
