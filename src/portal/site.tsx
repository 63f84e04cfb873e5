/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { goTo, noteWait } from '../pages/html.tsx';
import { ask, askUnless, idOf, tryAsk } from './ask.ts';
import { gated } from './gated.tsx';
import { PLACES } from './places.ts';
import { acting, page } from './session.ts';
import { showPlace } from './show-page.tsx';
import {
  AlertsCard,
  DaysCard,
  EventsCard,
  PostureCard,
  ReportCard,
  ScoreCard,
  type SiteShown,
  StatsCard,
  VulnerabilitiesCard,
} from './site-cards.tsx';
import { domainOf, siteAddress } from './site-parts.tsx';
import { BADGE, badgeActAddress, type ScanSchedule, type Trust, TrustCard } from './site-trust.tsx';
import { CONTROL, type Control, ControlCard, checkAddress } from './site-verification.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

/** A domain check that failed or found no proof. */
interface Failed {
  readonly problem: string;
  readonly method: string | undefined;
  readonly refusal?: Refusal;
}

/** API requests of the steps to a badge: path and body. */
const BADGE_ACTS = {
  assess: ['scan-schedule', { interval_hours: 168, scan_type: 'assessment' }],
  show: ['trust', { enabled: true }],
  hide: ['trust', { enabled: false }],
} as const;

/** The page of a site, with forms for domain verification and the badge. */
export const sitePage = (parts: PortalParts) => {
  const show = async (visit: Visit, failed?: Failed, refused?: Refusal) => {
    const path = `/sites/${idOf(visit.params.siteId)}`;
    const site = await ask<SiteShown>(parts, visit, path);
    const unproven = ['DOMAIN_MISMATCH', 'DOMAIN_NOT_VERIFIED'] as const;
    const control = await askUnless<Control>(unproven, parts, visit, `${path}/verification`);
    const trust = await askUnless<Trust>(['TRUST_DISABLED', 'PLAN_REQUIRED'], parts, visit, `${path}/trust`);
    const schedule = await askUnless<ScanSchedule>(['PLAN_REQUIRED'], parts, visit, `${path}/scan-schedule`);
    return showPlace(
      visit,
      PLACES.sites,
      <Fragment>
        <p>
          <a href={PLACES.sites.path}>{TEXTS.site.back}</a>
        </p>
        <div class="cards">
          {failed && <ControlCard siteId={site.id} control={control} {...failed} />}
          <ReportCard site={site} />
          <EventsCard site={site} />
          <VulnerabilitiesCard site={site} />
          <ScoreCard site={site} />
          <AlertsCard site={site} />
          <DaysCard site={site} />
          <PostureCard site={site} />
          {failed ? null : <ControlCard siteId={site.id} control={control} />}
          <TrustCard {...{ control, schedule, trust }} siteId={site.id} problem={refused?.message} />
          <StatsCard site={site} />
        </div>
      </Fragment>,
      {
        title: domainOf(site.url),
        refused: (failed?.refusal ?? refused)?.refused,
      },
    );
  };

  const check = async (visit: Visit, { method }: Form) => {
    const id = idOf(visit.params.siteId);
    const found = await tryAsk<Control>(parts, visit, `/sites/${id}/verification`, { method, check: true });
    if (isRefusal(found)) {
      if (found.refused === 'SITE_NOT_FOUND') throw refuse(found.refused, TEXTS.noSite);
      noteWait(visit.set, found);
      return show(visit, { problem: found.message, method, refusal: found });
    }
    // A failed check does not affect a proof by the other method. The stored state has no trace of it, so the problem is shown
    // here.
    if (found.problem !== null && found.method !== method)
      return show(visit, { problem: TEXTS.control.found(TEXTS.control.problems[found.problem]), method });
    return goTo(visit.set, `${siteAddress(id)}#${CONTROL}`);
  };

  const badgeAct = (act: keyof typeof BADGE_ACTS) => async (visit: Visit) => {
    const id = idOf(visit.params.siteId);
    const [path, body] = BADGE_ACTS[act];
    const done = await tryAsk(parts, visit, `/sites/${id}/${path}`, body);
    if (!isRefusal(done)) return goTo(visit.set, `${siteAddress(id)}#${BADGE}`);
    if (done.refused === 'SITE_NOT_FOUND') throw refuse(done.refused, TEXTS.noSite);
    noteWait(visit.set, done);
    return show(visit, undefined, done);
  };

  /** Redirects GET requests for the path of a form, as after a reload. */
  const back = async (visit: Visit) => goTo(visit.set, siteAddress(idOf(visit.params.siteId)));

  return [
    getAt(siteAddress(':siteId'), page(parts, gated(parts, PLACES.sites, show))),
    getAt(checkAddress(':siteId'), page(parts, back)),
    postAt(checkAddress(':siteId'), acting(parts, gated(parts, PLACES.sites, check))),
    ...(['assess', 'show', 'hide'] as const).flatMap((act) => [
      getAt(badgeActAddress(':siteId', act), page(parts, back)),
      postAt(badgeActAddress(':siteId', act), acting(parts, gated(parts, PLACES.sites, badgeAct(act)))),
    ]),
  ];
};
