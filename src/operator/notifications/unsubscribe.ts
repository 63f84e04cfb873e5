import { timingSafeEqual } from 'node:crypto';
import type { DerivedIdentities } from '../../domain/identity.ts';
import type { TargetRecord } from '../../storage/notifications/targets.ts';
import { type Act, type PlannedAct, unchanged } from '../act.ts';
import { auditedOnTarget } from './audited-target.ts';

type Identities = Pick<DerivedIdentities, 'unsubscribeToken'>;
type Unsubscribed = Pick<TargetRecord, 'kind' | 'publicId'>;

/** Whether two texts are the same, in a time that does not show where they differ. */
export const isSameToken = (one: string, other: string): boolean => {
  const [wanted, given] = [Buffer.from(one), Buffer.from(other)];
  return wanted.length === given.length && timingSafeEqual(wanted, given);
};

/**
 * The page where the recipient of a mail target ends its mails.
 *
 * @param origin of the public listener; undefined = not configured
 */
export const unsubscribePageOf =
  (origin: string | undefined, { unsubscribeToken }: Identities) =>
  ({ kind, publicId }: Unsubscribed): string | undefined =>
    origin === undefined || kind !== 'mail'
      ? undefined
      : `${origin}/unsubscribe/${publicId}/${unsubscribeToken(publicId)}`;

/** Whether a token is the one in the mails of a target. */
export const isUnsubscribeToken = (
  { unsubscribeToken }: Identities,
  targetId: string,
  given: string,
): boolean => isSameToken(unsubscribeToken(targetId), given);

/** Plans to send no more mails to a recipient who asked for that, also if the target is paused for another reason. */
export const unsubscribe = (target: TargetRecord, act: Act): PlannedAct =>
  target.pausedReason === 'recipient'
    ? unchanged('the recipient has unsubscribed')
    : auditedOnTarget(act, 'unsubscribe', target, {
        jobs: [{ name: 'pauseTarget', input: { id: target.id, reason: 'recipient', now: act.now } }],
      });
