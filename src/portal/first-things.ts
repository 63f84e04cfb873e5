import type { Static } from '@sinclair/typebox';
import { reachesPlan } from '../domain/license/catalog.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { ButtonLink } from '../pages/attention.tsx';
import type { Snapshot } from '../routes/fields/analytics-snapshot.ts';
import type { ContractSummary } from '../routes/me.ts';
import type { VulnerabilitiesPage } from '../routes/site-vulnerabilities.ts';
import { PLACES } from './places.ts';
import { alertName, domainOf, siteAddress } from './site-parts.tsx';
import { TEXTS } from './texts.ts';
import type { Visit } from './visit.ts';

const WORDS = TEXTS.overview;
const SOON_MS = 30 * DAY_MS;
/** Of a daily budget, from which on its end is in sight. */
const MOSTLY = 0.8;
export const THINGS_SHOWN = 6;

export type Contract = Static<typeof ContractSummary>;
export type Analytics = Static<typeof Snapshot>;
type Vulnerability = Static<typeof VulnerabilitiesPage>['findings'][number];

/** Something for a tenant to do. */
export interface Thing {
  readonly is: 'bad' | 'warn' | 'info';
  readonly what: string;
  readonly words: string;
  readonly button?: ButtonLink;
  /** The score of the site, and what it would be then. */
  readonly effect?: readonly [now: number, then: number] | undefined;
}

/** The most urgent vulnerability of a site. */
export interface SiteVulnerability {
  readonly siteId: string;
  readonly url: string;
  readonly finding: Vulnerability;
}

interface Facts {
  readonly visit: Visit;
  readonly contract: Contract;
  readonly analytics: Analytics;
  readonly vulnerable: readonly SiteVulnerability[];
  readonly now: number;
}

/** What a site's score would be with all points of one factor. Undefined where that changes nothing. */
function effectOf({ securityScores = [] }: Analytics, siteId: string, name: string): Thing['effect'] {
  const found = securityScores.find((each) => each.siteId === siteId);
  if (found === undefined) return undefined;
  const { score, factors } = found;
  const isFull = ({ factor, points, pointsMax }: (typeof factors)[number]) =>
    factor === name || factor !== 'vulnerabilities' || points === pointsMax;
  // Open vulnerabilities cap the score. Other actions cannot raise it above the cap.
  if (!factors.every(isFull)) return undefined;
  const then = factors.reduce(
    (sum, { factor, points, pointsMax }) => sum + (factor === name ? pointsMax : points),
    0,
  );
  return then > score ? [score, then] : undefined;
}

/** One thing for each component, however many sites have it. */
function vulnerableThings({ vulnerable, analytics }: Facts): Thing[] {
  const nameOf = ({ finding }: SiteVulnerability) => `${finding.name} ${finding.fixed_versions.at(-1)}`;
  return [...Map.groupBy(vulnerable, nameOf).values()].flatMap(([first, ...others]): Thing[] => {
    if (first === undefined) return [];
    const { name, risk, fixed_versions: fixed } = first.finding;
    const isUrgent = risk.decision === 'act';
    return [
      {
        is: isUrgent ? 'bad' : 'warn',
        what: WORDS.update(name, fixed.at(-1), WORDS.andMore(domainOf(first.url), others.length)),
        words: isUrgent ? WORDS.updateNow : WORDS.updateSoon,
        effect: effectOf(analytics, first.siteId, 'vulnerabilities'),
        button: { href: `${siteAddress(first.siteId)}/vulnerabilities`, words: WORDS.show },
      },
    ];
  });
}

function alertThings({ analytics, visit }: Facts): Thing[] {
  const mayLook = reachesPlan(visit.caller.standing.plan, PLACES.sites.plan);
  const urls = new Map((analytics.sites ?? []).map(({ siteId, url }) => [siteId, url]));
  const alerts = (analytics.siteDetails ?? []).flatMap(({ siteId, openAlerts }) =>
    openAlerts.map((alert) => ({ siteId, ...alert })),
  );
  return alerts
    .toSorted((one, other) => (one.severity < other.severity ? -1 : one.severity > other.severity ? 1 : 0))
    .map(({ siteId, subject, severity }) => ({
      is: severity === 'critical' ? 'bad' : 'warn',
      what: WORDS.alert(alertName(subject).toLowerCase(), domainOf(urls.get(siteId) ?? '')),
      words: mayLook ? WORDS.alertWhat : WORDS.alertsShut,
      effect: effectOf(analytics, siteId, 'open_alerts'),
      ...(mayLook ? { button: { href: siteAddress(siteId), words: WORDS.openSite } } : {}),
    }));
}

/** What a tenant does first, the most urgent on top. */
export function firstThings(facts: Facts): Thing[] {
  const { visit, contract, analytics, now } = facts;
  const { state, plan, expiresAt } = visit.caller.standing;
  const { sites, daily_budget } = contract;
  const { counters } = analytics;
  const { events, events_used, bytes, bytes_used } = daily_budget;
  const mayLook = reachesPlan(plan, PLACES.sites.plan);
  const isMostly = (used: number, budget: number | null) => budget !== null && used >= budget * MOSTLY;
  const toSites = mayLook
    ? { button: { href: `${PLACES.sites.path}?status=silent`, words: WORDS.openSites } }
    : {};
  const others: readonly (Thing & { readonly if: boolean })[] = [
    {
      ...{ if: counters.sitesSilent > 0, is: 'warn', what: WORDS.silent(counters.sitesSilent) },
      words: WORDS.silentWhat,
      ...toSites,
    },
    {
      ...{ if: expiresAt !== null && expiresAt < now + SOON_MS, is: 'warn' },
      ...{ what: WORDS.endsSoon, words: WORDS.endsSoonWhat },
    },
    { if: counters.sites === 0, is: 'info', what: WORDS.noSite, words: WORDS.noSiteWhat },
    { if: sites.used >= sites.allowed, is: 'warn', what: WORDS.full, words: WORDS.fullWhat },
    {
      ...{ if: isMostly(events_used, events) || isMostly(bytes_used, bytes), is: 'warn' },
      ...{ what: WORDS.budget, words: WORDS.budgetWhat },
    },
  ];
  return [
    ...(state === 'suspended'
      ? [{ is: 'bad' as const, what: WORDS.suspended, words: WORDS.suspendedWhat }]
      : []),
    ...vulnerableThings(facts),
    ...alertThings(facts),
    ...others.filter((thing) => thing.if),
  ];
}
