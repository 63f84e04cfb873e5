import type { FindingRule } from '../finding.ts';
import type { Severity } from '../severity.ts';
import { ago, daysBetween } from './ago.ts';

/** A vulnerability of the site that was not fixed in time. */
export interface OverdueVulnerability {
  readonly id: string;
  /** The name of the component in the mirror. */
  readonly component: string;
  /** The deadline for the fix, in milliseconds since the Unix epoch. */
  readonly dueAt: number;
  /** The time allowed; see `remediateWithinDays` of a risk. */
  readonly withinDays: 3 | 14 | 60;
}

interface WithVulnerabilities {
  readonly now: number;
  readonly overdueVulnerabilities: readonly OverdueVulnerability[];
}

const SHOWN_MAX = 5;

/** Longest overdue first. */
function evidence(late: readonly OverdueVulnerability[], now: number): string | undefined {
  if (late.length === 0) return undefined;
  const sorted = late.toSorted((one, other) => one.dueAt - other.dueAt);
  const shown = sorted
    .slice(0, SHOWN_MAX)
    .map(({ id, component, dueAt }) => `${id} in ${component}, due ${ago(daysBetween(dueAt, now))}`);
  const hidden = late.length - shown.length;
  return `${shown.join('; ')}${hidden > 0 ? `; and ${hidden} more` : ''}.`;
}

const SEVERITY_WITHIN: readonly (readonly [OverdueVulnerability['withinDays'], Severity])[] = [
  [3, 'critical'],
  [14, 'high'],
  [60, 'medium'],
];

/** One rule for each deadline: an earlier one is more severe. */
export const OVERDUE_RULES = SEVERITY_WITHIN.map(
  ([withinDays, severity]): FindingRule<WithVulnerabilities> => ({
    id: `vulnerabilities_overdue_${withinDays}d`,
    severity,
    title: `Known vulnerabilities were not fixed within ${withinDays} days`,
    recommendation:
      'Attackers scan for known vulnerabilities. Update these components, or remove those without a fix; ' +
      'GET /sites/{siteId}/vulnerabilities lists the fixed versions.',
    see: ({ overdueVulnerabilities, now }) =>
      evidence(
        overdueVulnerabilities.filter((one) => one.withinDays === withinDays),
        now,
      ),
  }),
);
