/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { isRefusal } from '../domain/refusal.ts';
import { getAt } from '../http/route/endpoint.ts';
import type { VulnerabilitiesPage } from '../routes/site-vulnerabilities.ts';
import { ask, tryAsk } from './ask.ts';
import { type Analytics, type Contract, firstThings, type SiteVulnerability } from './first-things.ts';
import { nextPlan, PlanOpens } from './gate.tsx';
import { EventsCard, FirstCard, PlanCard, ScoreCard, SitesCard } from './overview-cards.tsx';
import { HOME, PLACES } from './places.ts';
import { page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.overview;
/** Maximum number of sites whose most urgent vulnerability is listed. */
const NAMED_MAX = 5;

/** The first page: to-do list, sites and license. */
export const overviewPage = (parts: PortalParts) => {
  const { clock, catalog } = parts;

  const showExpired = (visit: Visit) =>
    showPlace(
      visit,
      PLACES.overview,
      <p class="notice bad">
        <strong>{WORDS.expired}</strong>
        {WORDS.expiredWhat(TEXTS.plans.names[visit.caller.license.plan])}
      </p>,
    );

  /** Reads the most urgent vulnerability of each of the sites that lose the most points for vulnerabilities. */
  const mostUrgent = async (visit: Visit, { sites = [], securityScores = [] }: Analytics) => {
    const pointsOf = new Map(
      securityScores.map(({ siteId, factors }) => {
        const factor = factors.find((each) => each.factor === 'vulnerabilities');
        return [siteId, (factor?.points ?? 0) - (factor?.pointsMax ?? 0)];
      }),
    );
    const worst = sites
      .filter(({ siteId }) => (pointsOf.get(siteId) ?? 0) < 0)
      .toSorted((one, other) => (pointsOf.get(one.siteId) ?? 0) - (pointsOf.get(other.siteId) ?? 0))
      .slice(0, NAMED_MAX);
    const found = await Promise.all(
      worst.map(async ({ siteId, url }): Promise<SiteVulnerability[]> => {
        const path = `/sites/${siteId}/vulnerabilities?limit=1`;
        const answer = await tryAsk<Static<typeof VulnerabilitiesPage>>(parts, visit, path);
        const [finding] = isRefusal(answer) ? [] : answer.findings;
        return finding && finding.not_affected === null ? [{ siteId, url, finding }] : [];
      }),
    );
    return found.flat();
  };

  const show = async (visit: Visit) => {
    const { caller } = visit;
    if (caller.standing.state === 'expired') return showExpired(visit);
    const contract = await ask<Contract>(parts, visit, '/me');
    const sections = ['sites', 'siteDetails', 'securityScores', 'severityBuckets'];
    const analytics = await ask<Analytics>(parts, visit, '/analytics/metrics', { sections });
    const { sites = [], severityBuckets = [] } = analytics;
    const vulnerable = await mostUrgent(visit, analytics);
    const unproven = await parts.portal.unprovenOf(caller.license.id);
    const next = caller.standing.valid ? nextPlan(caller.standing.plan) : undefined;
    return showPlace(
      visit,
      PLACES.overview,
      <div class="grid">
        <div class="stack c4">
          <ScoreCard sites={sites} />
          <PlanCard visit={visit} contract={contract} />
        </div>
        <FirstCard
          things={firstThings({ visit, contract, analytics, vulnerable, unproven, now: clock.now() })}
        />
        <EventsCard days={severityBuckets} />
        <SitesCard sites={sites} visit={visit} />
        {next === undefined ? null : <PlanOpens plan={next} catalog={catalog} caller={caller} />}
      </div>,
      { sub: TEXTS.counts.sites(sites.length) },
    );
  };

  return [getAt(HOME, page(parts, show, true))];
};
