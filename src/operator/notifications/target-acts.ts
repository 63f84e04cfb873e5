import { ROTATION_MS } from '../../domain/notification/target.ts';
import { newTargetSecret, sealTargetSecret } from '../../domain/notification/target-secret.ts';
import { DAY_MS, iso } from '../../lib/clock.ts';
import { RETAINED_DAYS } from '../../storage/notifications/outbox-retention.ts';
import type { TargetRecord } from '../../storage/notifications/targets.ts';
import { type Act, type ActOutcome, type PlannedAct, type RefusedAct, unchanged } from '../act.ts';
import { isSigned } from './add-target.ts';
import { auditedOnTarget } from './audited-target.ts';

/** A new secret of a webhook, shown once. */
export interface RotatedTarget extends PlannedAct {
  readonly secret: string;
  /** The previous one signs as well until this moment. */
  readonly previousUntil: number;
}

/** An act of a tenant pauses its target as the tenant. */
const pauserOf = ({ actor }: Act) => (actor.startsWith('tenant:') ? 'tenant' : 'operator');

/** Plans to send nothing to a target for now. */
export function pauseTarget(target: TargetRecord, act: Act): ActOutcome {
  const { id, name, pausedAt } = target;
  if (pausedAt !== null) return unchanged(`${name} has been paused since ${iso(pausedAt)}`);
  const input = { id, reason: pauserOf(act), now: act.now } as const;
  return auditedOnTarget(act, 'pause', target, { jobs: [{ name: 'pauseTarget', input }] });
}

/** Plans to send to a paused target again, unless its recipient paused it. */
export function resumeTarget(target: TargetRecord, act: Act): ActOutcome {
  const { id, name, pausedAt, pausedReason } = target;
  if (pausedAt === null) return unchanged(`${name} is not paused`);
  if (pausedReason === 'unconfirmed')
    return { refused: `${name} waits until its recipient opens the link in the confirmation mail` };
  if (pausedReason === 'recipient') return unsubscribedFrom(name);
  return auditedOnTarget(act, 'resume', target, {
    jobs: [{ name: 'resumeTarget', input: { id, now: act.now } }],
    before: { pausedReason },
  });
}

/** Plans to give a webhook a new secret. */
export function rotateTarget(
  target: TargetRecord,
  targetKey: Uint8Array,
  act: Act,
): RotatedTarget | RefusedAct {
  const { id, publicId, kind, format, name } = target;
  if (!isSigned(kind, format))
    return { refused: `${name} has no secret: only webhooks in the format standard do` };
  const secret = newTargetSecret();
  const input = { id, sealed: sealTargetSecret(targetKey, publicId, secret), now: act.now };
  const previousUntil = act.now + ROTATION_MS;
  const planned = auditedOnTarget(act, 'rotate', target, {
    jobs: [{ name: 'rotateTargetSecret', input }],
    after: { previousUntil },
  });
  return { ...planned, secret, previousUntil };
}

/** Plans to remove a target with everything that waits for it. */
export const removeTarget = (target: TargetRecord, act: Act): PlannedAct =>
  auditedOnTarget(act, 'remove', target, {
    jobs: [{ name: 'removeTarget', input: { id: target.id, now: act.now } }],
    before: { waiting: target.waiting > 0 },
  });

/** Plans to note that a target is tested; the test itself is sent afterwards. */
export const testTarget = (target: TargetRecord, act: Act): PlannedAct | RefusedAct =>
  target.pausedReason === 'recipient'
    ? unsubscribedFrom(target.name)
    : auditedOnTarget(act, 'test', target, {});

const unsubscribedFrom = (name: string): RefusedAct => ({
  refused: `The recipient of ${name} unsubscribed. Remove the target, and add it again once the recipient agrees`,
});

/** The events that a target receives again. */
export interface Replayed {
  /** Those of this moment or later ones. */
  readonly since?: number | undefined;
  /** Only the one with this id. */
  readonly event?: string | undefined;
}

/** Plans to send retained events to a target again, with the same ids. */
export function replayTo(target: TargetRecord, { since, event }: Replayed, act: Act): ActOutcome {
  if ((since === undefined) === (event === undefined))
    return { refused: 'Name either an event (event) or a moment (since): one of the two is required' };
  if (since !== undefined && since > act.now)
    return { refused: 'The moment is in the future. Use a past one' };
  if (since !== undefined && since < act.now - RETAINED_DAYS * DAY_MS)
    return { refused: `Events are retained for ${RETAINED_DAYS} days. Use a later moment` };
  const which = event === undefined ? { since: since ?? 0 } : { event };
  const planned = auditedOnTarget(act, 'replay', target, {
    jobs: [{ name: 'replayDeliveries', input: { id: target.id, now: act.now, ...which } }],
    after: which,
  });
  const isPaused = target.pausedAt !== null;
  return isPaused
    ? { ...planned, notices: [`${target.name} is paused. Resume it to send what waits`] }
    : planned;
}
