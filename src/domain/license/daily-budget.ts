import type { Plan } from './catalog.ts';
import type { License, Standing } from './license.ts';

/** The limit of a license's telemetry and stored signals on one UTC day. Null = no limit. */
export interface DailyBudget {
  /** Events of telemetry. */
  readonly events: number | null;
  /** Bytes as counted by `eventBytes`, and of signals stored in addition to earlier ones. */
  readonly bytes: number | null;
}

/** For data that no caller sends. */
export const NO_LIMIT: DailyBudget = { events: null, bytes: null };

/** The lower limits of two budgets. */
export const leastBudget = (one: DailyBudget, other: DailyBudget): DailyBudget => ({
  events: lesser(one.events, other.events),
  bytes: lesser(one.bytes, other.bytes),
});

const lesser = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

const MIB = 1024 * 1024;

/** Budgets by plan (docs/tenants.md, "Plans"). */
export const DAILY_BUDGETS = {
  free: { events: 5_000, bytes: 8 * MIB },
  starter: { events: 50_000, bytes: 64 * MIB },
  pro: { events: 500_000, bytes: 512 * MIB },
  enterprise: { events: 5_000_000, bytes: 4_096 * MIB },
} as const satisfies Record<Plan, DailyBudget>;

/** The operator's one budget for all plans: undefined leaves it to the plan, 0 = no limit. */
export interface BudgetSettings {
  readonly dailyEvents: number | undefined;
  readonly dailyBytes: number | undefined;
}

/** The budget of a plan, unless the operator has set one for all plans. */
export function planBudget(plan: Plan, { dailyEvents, dailyBytes }: BudgetSettings): DailyBudget {
  const { events, bytes } = DAILY_BUDGETS[plan];
  return { events: limit(dailyEvents ?? events), bytes: limit(dailyBytes ?? bytes) };
}

/**
 * The current budget of a license: its own, else the operator's for all plans, else its plan's. Test licenses have the budget
 * of `free`. An invalid license has no budget of its own.
 */
export function dailyBudget(
  { environment, dailyEventsOverride, dailyBytesOverride }: License,
  { plan, valid }: Pick<Standing, 'plan' | 'valid'>,
  settings: BudgetSettings,
): DailyBudget {
  const { events, bytes } = planBudget(environment === 'test' ? 'free' : plan, settings);
  if (!valid) return { events, bytes };
  return {
    events: dailyEventsOverride === null ? events : limit(dailyEventsOverride),
    bytes: dailyBytesOverride === null ? bytes : limit(dailyBytesOverride),
  };
}

const limit = (count: number): number | null => (count === 0 ? null : count);
