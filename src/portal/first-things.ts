import type { Static } from '@sinclair/typebox';
import { reachesPlan } from '../domain/license/catalog.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { ButtonLink } from '../pages/attention.tsx';
import type { Snapshot } from '../routes/fields/analytics-snapshot.ts';
import type { ContractSummary } from '../routes/me.ts';
import type { VulnerabilitiesPage } from '../routes/site-vulnerabilities.ts';
import type { UnprovenSite } from '../storage/sites/unproven-sites.ts';
import { PLACES } from './places.ts';
import { alertName, domainOf, siteAddress } from './site-parts.tsx';
import { TEXTS } from './texts.ts';
import type { Visit } from './visit.ts';

const WORDS = TEXTS.overview;
const SOON_MS = 30 * DAY_MS;
/** Used share of a daily budget from which the tenant is warned. */
const BUDGET_WARNING_SHARE = 0.8;
export const THINGS_SHOWN = 6;

export type Contract = Static<typeof ContractSummary>;
export type Analytics = Static<typeof Snapshot>;
type Vulnerability = Static<typeof VulnerabilitiesPage>['findings'][number];

/** An entry of a tenant's to-do list. */
export interface Thing {
  readonly is: 'bad' | 'warn' | 'info';
  readonly what: string;
  readonly words: string;
  readonly button?: ButtonLink;
  /** The score of the site now, and after it is done. */
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
  readonly unproven: readonly UnprovenSite[];
  readonly now: number;
}

/** Returns a site's score now, and with all points of one factor; undefined if it would not change. */
function effectOf({ securityScores = [] }: Analytics, siteId: string, name: string): Thing['effect'] {
  const found = securityScores.find((each) => each.siteId === siteId);
  if (found === undefined) return undefined;
  const { score, factors } = found;
  const isFull = ({ factor, points, pointsMax }: (typeof factors)[number]) =>
    factor === name || factor !== 'vulnerabilities' || points === pointsMax;
  // Open vulnerabilities cap the score, so other actions cannot raise it above the cap.
  if (!factors.every(isFull)) return undefined;
  const then = factors.reduce(
    (sum, { factor, points, pointsMax }) => sum + (factor === name ? pointsMax : points),
    0,
  );
  return then > score ? [score, then] : undefined;
}

/** One entry per component, regardless of the number of sites with it. */
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

/** One entry per site and severity. */
function alertThings({ analytics, visit }: Facts): Thing[] {
  const mayLook = reachesPlan(visit.caller.standing.plan, PLACES.sites.plan);
  const urls = urlsOf(analytics);
  return (analytics.siteDetails ?? []).flatMap(({ siteId, openAlerts }) =>
    (['critical', 'high'] as const).flatMap((severity): Thing[] => {
      const names = openAlerts
        .filter((alert) => alert.severity === severity)
        .map(({ subject }) => alertName(subject).toLowerCase());
      if (names.length === 0) return [];
      return [
        {
          is: severity === 'critical' ? 'bad' : 'warn',
          what: WORDS.alerts(names, domainOf(urls.get(siteId) ?? '')),
          words: mayLook ? WORDS.alertWhat : WORDS.alertsShut,
          effect: effectOf(analytics, siteId, 'open_alerts'),
          ...(mayLook ? { button: { href: siteAddress(siteId), words: WORDS.openSite } } : {}),
        },
      ];
    }),
  );
}

const urlsOf = ({ sites = [] }: Analytics) => new Map(sites.map(({ siteId, url }) => [siteId, url]));

/** One entry for all sites that stopped reporting. */
function silentThings({ analytics, visit }: Facts): Thing[] {
  const [first, ...others] = (analytics.sites ?? []).filter(({ status }) => status === 'silent');
  if (first === undefined) return [];
  const mayLook = reachesPlan(visit.caller.standing.plan, PLACES.sites.plan);
  const href = others.length === 0 ? siteAddress(first.siteId) : `${PLACES.sites.path}?status=silent`;
  return [
    {
      is: 'warn',
      what: WORDS.silent(WORDS.andMore(domainOf(first.url), others.length)),
      words: WORDS.silentWhat,
      effect: effectOf(analytics, first.siteId, 'contact'),
      ...(mayLook ? { button: { href, words: others.length === 0 ? WORDS.openSite : WORDS.openSites } } : {}),
    },
  ];
}

/** One entry for all sites with an outdated plugin. */
function outdatedThings({ analytics, visit }: Facts): Thing[] {
  const scored = (analytics.securityScores ?? []).filter(({ factors }) =>
    factors.some(({ factor, points, pointsMax }) => factor === 'plugin_version' && points < pointsMax),
  );
  const outdated = new Set(scored.map(({ siteId }) => siteId));
  // Sites that report no version may be up to date.
  const [first, ...others] = (analytics.sites ?? []).filter(
    ({ siteId, pluginVersion }) => pluginVersion !== null && outdated.has(siteId),
  );
  if (first === undefined) return [];
  const mayLook = reachesPlan(visit.caller.standing.plan, PLACES.sites.plan);
  const site = WORDS.andMore(domainOf(first.url), others.length);
  return [
    {
      is: 'warn',
      what: WORDS.outdated(site),
      words: WORDS.outdatedWhat,
      effect: effectOf(analytics, first.siteId, 'plugin_version'),
      ...(mayLook ? { button: { href: siteAddress(first.siteId), words: WORDS.openSite } } : {}),
    },
  ];
}

/** One entry for all domains that are not verified. */
function unprovenThings({ unproven, visit }: Facts): Thing[] {
  const [first] = unproven;
  if (first === undefined || !reachesPlan(visit.caller.standing.plan, PLACES.sites.plan)) return [];
  return [
    {
      is: 'info',
      what: WORDS.unproven(first.domain, unproven.length),
      words: WORDS.unprovenWhat,
      button: { href: siteAddress(first.siteId), words: WORDS.start },
    },
  ];
}

/** Returns the to-do list of a tenant, most urgent first. */
export function firstThings(facts: Facts): Thing[] {
  const { visit, contract, analytics, now } = facts;
  const { state, expiresAt } = visit.caller.standing;
  const { sites, daily_budget } = contract;
  const { counters } = analytics;
  const { events, events_used, bytes, bytes_used } = daily_budget;
  const isNearlyUsed = (used: number, budget: number | null) =>
    budget !== null && used >= budget * BUDGET_WARNING_SHARE;
  const others: readonly (Thing & { readonly if: boolean })[] = [
    {
      if: expiresAt !== null && expiresAt < now + SOON_MS,
      is: 'warn',
      what: WORDS.endsSoon,
      words: WORDS.endsSoonWhat,
    },
    { if: counters.sites === 0, is: 'info', what: WORDS.noSite, words: WORDS.noSiteWhat },
    { if: sites.used >= sites.allowed, is: 'warn', what: WORDS.full, words: WORDS.fullWhat },
    {
      if: isNearlyUsed(events_used, events) || isNearlyUsed(bytes_used, bytes),
      is: 'warn',
      what: WORDS.budget,
      words: WORDS.budgetWhat,
    },
  ];
  const reported = [...vulnerableThings(facts), ...alertThings(facts)];
  return [
    ...(state === 'suspended'
      ? [{ is: 'bad' as const, what: WORDS.suspended, words: WORDS.suspendedWhat }]
      : []),
    ...reported.filter(({ is }) => is === 'bad'),
    ...silentThings(facts),
    ...reported.filter(({ is }) => is !== 'bad'),
    ...outdatedThings(facts),
    ...unprovenThings(facts),
    ...others.filter((thing) => thing.if),
  ];
}
