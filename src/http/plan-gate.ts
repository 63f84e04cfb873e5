import { type Plan, reachesPlan } from '../domain/license/catalog.ts';
import { refuse } from '../domain/refusal.ts';
import type { Caller } from './context.ts';

/** @throws Refusal if the caller's plan is lower; that of a suspended license is `free` */
export function requirePlan({ standing }: Caller, plan: Plan): void {
  if (reachesPlan(standing.plan, plan)) return;
  const why = standing.state === 'suspended' ? ' A suspended license is limited to the plan free.' : '';
  throw refuse('PLAN_REQUIRED', `This route requires the plan ${plan} or higher.${why}`);
}
