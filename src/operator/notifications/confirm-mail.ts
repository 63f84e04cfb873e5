import type { DerivedIdentities } from '../../domain/identity.ts';
import { CONFIRM_MS } from '../../domain/notification/target.ts';
import type { TargetRecord } from '../../storage/notifications/targets.ts';
import { type Act, type ActOutcome, unchanged } from '../act.ts';
import { auditedOnTarget } from './audited-target.ts';
import { isSameToken } from './unsubscribe.ts';

type Identities = Pick<DerivedIdentities, 'confirmToken'>;
type Confirmed = Pick<TargetRecord, 'kind' | 'publicId' | 'address'>;

/**
 * The page where the recipient of a tenant's mail target agrees to its mails.
 *
 * @param origin of the public listener; undefined = not configured
 */
export const confirmPageOf =
  (origin: string | undefined, { confirmToken }: Identities) =>
  ({ kind, publicId, address }: Confirmed): string | undefined =>
    origin === undefined || kind !== 'mail'
      ? undefined
      : `${origin}/confirm/${publicId}/${confirmToken(publicId, address)}`;

/** Whether a token is the one in the confirmation mail of a target. */
export const isConfirmToken = (
  { confirmToken }: Identities,
  { publicId, address }: Confirmed,
  given: string,
): boolean => isSameToken(confirmToken(publicId, address), given);

/** Whether a target still waits for its recipient. */
export const isConfirmable = ({ pausedReason, createdAt }: TargetRecord, now: number): boolean =>
  pausedReason === 'unconfirmed' && now < createdAt + CONFIRM_MS;

/** Plans to send to a recipient who has agreed. */
export const confirmMail = (target: TargetRecord, act: Act): ActOutcome =>
  isConfirmable(target, act.now)
    ? auditedOnTarget(act, 'confirm', target, {
        jobs: [{ name: 'resumeTarget', input: { id: target.id, now: act.now } }],
      })
    : unchanged('the target does not wait for its recipient');
