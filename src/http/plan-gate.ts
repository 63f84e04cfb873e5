import { type Plan, reachesPlan } from '../domain/license/catalog.ts';
import { refuse } from '../domain/refusal.ts';
import type { Caller } from './context.ts';
import { synchronous } from './synchronous.ts';

/** A hook after authentication for routes that need a plan or a greater one; a suspended license has `free`. */
export const requirePlan = (plan: Plan) =>
  synchronous(({ caller }: { caller: Caller }): void => {
    if (reachesPlan(caller.standing.plan, plan)) return;
    const why =
      caller.standing.state === 'suspended' ? ' A suspended license is limited to the plan free.' : '';
    throw refuse('PLAN_REQUIRED', `This route requires the plan ${plan} or higher.${why}`);
  });
