import { capitalized } from '../../lib/capitalized.ts';
import type { CvssEvidence, CvssReach } from './cvss.ts';
import type { DeadlineTerms } from './deadline.ts';
import type { DecisionPoints } from './decision-points.ts';
import { chance } from './epss.ts';
import type { Epss, RiskComponent } from './facts.ts';

/** What a recommendation is made from. */
export interface RecommendationGrounds {
  readonly component: RiskComponent | null;
  readonly terms: DeadlineTerms;
  readonly points: DecisionPoints;
  readonly cvss: CvssEvidence | undefined;
  readonly epss: Epss | null;
  readonly ransomware: boolean;
}

/** EPSS is mentioned from one in ten on, when it is useful for acting. */
const LIKELY_FROM = 0.1;
const FIXES_SHOWN_MAX = 3;

/**
 * Sentences on what a site's owner should do, by when and why: update, or remove what has no fix. The service itself never
 * changes anything.
 */
export function recommendForRisk(grounds: RecommendationGrounds): string {
  const { component, terms, points } = grounds;
  const act = action(component);
  const first = terms.forensics ? `Check for signs of compromise first, then ${act}` : capitalized(act);
  return [
    `${first} ${time(terms)}, because ${weakness(grounds)}${attacks(grounds)}.`,
    ...(terms.forensics ? ['Changes made before this check can destroy evidence.'] : []),
    ...withoutFix(component),
    ...(points.automatable.assumed
      ? ['The attack vector is not published, so the worst case is assumed.']
      : []),
  ].join(' ');
}

const hasFix = ({ fixedVersions }: RiskComponent): boolean => fixedVersions.length > 0;

function action(component: RiskComponent | null): string {
  if (component === null) return 'update the affected software, or remove it if there is no fix,';
  const { name, fixedVersions, removable } = component;
  if (hasFix(component)) return `update ${name} to ${either(fixedVersions.slice(0, FIXES_SHOWN_MAX))}`;
  return removable ? `remove ${name}` : `restrict access to ${name}`;
}

const either = (versions: readonly string[]): string => versions.join(', ').replace(/, ([^,]+)$/, ' or $1');

function withoutFix(component: RiskComponent | null): string[] {
  if (component === null || hasFix(component)) return [];
  return [
    component.removable
      ? 'No fixed version is known. Replace it with another product.'
      : 'No fixed version is known. Update as soon as one is available.',
  ];
}

const time = ({ days }: DeadlineTerms): string =>
  days === null ? 'at the next regular maintenance' : `within ${days} days`;

const REACHES: Readonly<Record<CvssReach, string>> = {
  physical: ' by anyone with physical access',
  local: ' by anyone who can run programs on the host',
  adjacent: ' from the same network',
  network_admin: ' by anyone with an administrator’s login',
  network_login: ' by anyone with a login',
  network: ' without a login',
};

function weakness({ points, cvss }: RecommendationGrounds): string {
  const impact = points.technicalImpact.value === 'total' ? 'it can be taken over' : 'it can be attacked';
  return impact + (cvss === undefined ? '' : REACHES[cvss.shown.reach]);
}

function attacks({ points, epss, ransomware }: RecommendationGrounds): string {
  if (points.exploitation.value === 'active')
    return ransomware ? ' and is being exploited, including for ransomware' : ' and is being exploited';
  if (points.exploitation.value === 'poc') return ' and an exploit is public';
  return epss !== null && epss.probability >= LIKELY_FROM ? ` and has ${chance(epss.probability)}` : '';
}
