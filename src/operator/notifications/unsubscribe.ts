import { timingSafeEqual } from 'node:crypto';
import type { DerivedIdentities } from '../../domain/identity.ts';
import type { TargetRecord } from '../../storage/notifications/targets.ts';
import { type Act, type PlannedAct, unchanged } from '../act.ts';
import { auditedOnTarget } from './audited-target.ts';

type Identities = Pick<DerivedIdentities, 'unsubscribeToken'>;
type Unsubscribed = Pick<TargetRecord, 'kind' | 'publicId'>;

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
export function isUnsubscribeToken(
  { unsubscribeToken }: Identities,
  targetId: string,
  given: string,
): boolean {
  const [wanted, token] = [Buffer.from(unsubscribeToken(targetId)), Buffer.from(given)];
  return wanted.length === token.length && timingSafeEqual(wanted, token);
}

/** Plans to send no more mails to a recipient who asked for that, also if the target is paused for another reason. */
export const unsubscribe = (target: TargetRecord, act: Act): PlannedAct =>
  target.pausedReason === 'recipient'
    ? unchanged('the recipient has unsubscribed')
    : auditedOnTarget(act, 'unsubscribe', target, {
        jobs: [{ name: 'pauseTarget', input: { id: target.id, reason: 'recipient', now: act.now } }],
      });
