import { isRefusal } from '../domain/refusal.ts';
import type { Act, ActOutcome } from '../operator/act.ts';
import { readTargets, type TargetRecord } from '../storage/notifications/targets.ts';
import type { Parts } from './parts.ts';

/** What a recipient, who has no session, does with a target. */
type RecipientAct = (target: TargetRecord, act: Act) => ActOutcome;

/**
 * Returns a function that plans an act on a target and runs it. Nothing happens to a target that is gone.
 *
 * @throws Refusal
 */
export function recipientActs({ clock, db, desk }: Parts<'clock' | 'db' | 'desk'>) {
  const targets = readTargets(db);
  return async (targetId: string, plan: RecipientAct, requestId: string | undefined): Promise<void> => {
    const act = { actor: 'system', requestId, now: clock.now() } as const;
    const done = await desk.do(undefined, act.now, async () => {
      const target = await targets.find(targetId);
      const planned = target === undefined ? { jobs: [] } : plan(target, act);
      return 'refused' in planned ? planned : { ...planned, facts: {} };
    });
    if (isRefusal(done)) throw done;
  };
}
