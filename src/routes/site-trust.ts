import { Elysia, type Static, t } from 'elysia';
import { isRefusal, refuse } from '../domain/refusal.ts';
import { TRUST_PROBLEMS, TRUST_STATES, type TrustProblem, type TrustState } from '../domain/trust/trust.ts';
import { bodySchema, readJson } from '../http/body.ts';
import { type Caller, KIB } from '../http/context.ts';
import {
  answers,
  BEARER_CODES,
  BODY_CODES,
  nullable,
  show,
  success,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { meanings, oneOf } from '../http/fields.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { checkBody } from '../http/schema-check.ts';
import { isoOrNull } from '../lib/clock.ts';
import { escaped } from '../lib/markup.ts';
import { domainNotRegistered } from '../storage/sites/domain-controls.ts';
import type { TrustSite } from '../storage/trust/trust-sites.ts';
import { requireControl } from './fields/scan-target.ts';
import { findSite, SITE_ID } from './fields/site-path.ts';
import type { Parts } from './parts.ts';
import { badgeAddress, EXAMPLE_TRUST_ID, pageAddress } from './trust/addresses.ts';
import { BADGE_HEIGHT } from './trust/badge.ts';

const TrustRequest = bodySchema(
  'TrustRequest',
  {
    enabled: t.Boolean({ description: 'whether anybody may see how the site was assessed' }),
    rotate: t.Optional(
      t.Boolean({
        description: 'true gives the site another id: what shows the old one shows nothing any more',
      }),
    ),
    show_grade: t.Optional(
      t.Boolean({
        description: 'whether the grade is shown; as before where it is left out, and at first true',
      }),
    ),
  },
  { enabled: true, show_grade: true },
);

export const TrustStateName = oneOf(
  TRUST_STATES,
  meanings('How the site stands before the public', {
    assessed: 'it was assessed lately, and well enough.',
    not_current: 'there is no such assessment, for whatever reason.',
  } satisfies Record<TrustState, string>),
  'TrustState',
);

export const SiteTrust = typed('SiteTrust', {
  enabled: t.Boolean({ description: 'whether anybody may see it' }),
  show_grade: t.Boolean({ description: 'whether the grade is shown' }),
  trust_id: nullable(
    t.String({ description: 'what the public calls the site by: random, and kept while it is off' }),
    'null = it was never on',
  ),
  state: nullable(TrustStateName, 'what the public sees; null while it is off'),
  problem: nullable(
    oneOf(TRUST_PROBLEMS, undefined, 'TrustProblem'),
    meanings('Why the state is not current, which nobody else is told; null when it is', {
      license_not_valid: 'the license is suspended or pending, or its plan does not include this.',
      domain_not_verified: 'nothing proves any more that the license controls the domain.',
      surface_scans_disabled: 'the operator has switched surface scans off.',
      clock_behind: "this service's clock was set back.",
      critical_alert:
        'the site has a critical alert that is open, or that nothing has resolved since it was assessed.',
      never_assessed: 'no assessment was made lately: have one made, best by a schedule.',
      grade_too_low: 'the last assessments are not good enough.',
      outdated: 'what the last assessment rests on is too old.',
    } satisfies Record<TrustProblem, string>),
  ),
  current_until: nullable(
    timestamp('until when the state stays assessed if nothing happens; nobody else is told'),
  ),
  page_url: nullable(t.String({ description: 'where people read what was looked at' })),
  badge_url: nullable(t.String({ description: 'the picture; `?style=domain` adds the domain' })),
  embed_html: nullable(
    t.String({ description: 'to be pasted into the site: the picture, linked to the page' }),
  ),
});
const EXAMPLE_BASE = 'https://security.example';
const EXAMPLE = {
  enabled: true,
  show_grade: true,
  trust_id: EXAMPLE_TRUST_ID,
  state: 'assessed',
  problem: null,
  current_until: '2026-11-30T09:30:00.000Z',
  page_url: pageAddress(EXAMPLE_BASE, EXAMPLE_TRUST_ID),
  badge_url: badgeAddress(EXAMPLE_BASE, EXAMPLE_TRUST_ID),
  embed_html: embedding(EXAMPLE_BASE, EXAMPLE_TRUST_ID, 'shop.example'),
};

/** The page and the picture are told nothing of who looks at the site. */
function embedding(baseUrl: string, trustId: string, domain: string): string {
  const alt = escaped(`Security assessment of ${domain}`);
  return (
    `<a href="${escaped(pageAddress(baseUrl, trustId))}" referrerpolicy="no-referrer">` +
    `<img src="${escaped(badgeAddress(baseUrl, trustId))}" alt="${alt}" height="${BADGE_HEIGHT}" loading="lazy" referrerpolicy="no-referrer"></a>`
  );
}

const SHOWN = { tags: [TAGS.tenant], security: BEARER_SECURITY, parameters: [SITE_ID] };

/** Whether the public may see how a site was assessed, as its tenant wants it. */
export const siteTrust = (parts: Parts) => {
  const { authenticate, tenantData, trustDesk, clock, config } = parts;

  const requireAddress = (): string => {
    if (trustDesk.address === undefined) throw trustDisabled();
    return trustDesk.address;
  };

  const answerOf = async (
    { license }: Caller,
    domain: string,
    site: TrustSite | undefined,
    baseUrl: string,
  ) => {
    const standing = site?.enabled ? await trustDesk.standing(license, domain) : undefined;
    return success({
      enabled: site?.enabled ?? false,
      show_grade: site?.showGrade ?? true,
      trust_id: site?.trustId ?? null,
      state: standing?.state ?? null,
      problem: standing?.state === 'not_current' ? standing.problem : null,
      current_until: isoOrNull(standing?.state === 'assessed' ? standing.endsAt : null),
      page_url: site ? pageAddress(baseUrl, site.trustId) : null,
      badge_url: site ? badgeAddress(baseUrl, site.trustId) : null,
      embed_html: site ? embedding(baseUrl, site.trustId, domain) : null,
    });
  };

  const read = async (caller: Caller, siteId: string) => {
    const { domain } = await findSite(tenantData, caller.license.id, siteId);
    const baseUrl = requireAddress();
    return answerOf(caller, domain, await tenantData.trustSites.find(caller.license.id, domain), baseUrl);
  };

  const change = async (caller: Caller, siteId: string, body: Static<typeof TrustRequest>) => {
    const { enabled, rotate = false, show_grade: showGrade } = body;
    const licenseId = caller.license.id;
    // What was on may be switched off by whoever has lost the plan, the domain or the proof.
    if (enabled) requirePlan('pro')({ caller });
    const { domain } = await findSite(tenantData, licenseId, siteId);
    const baseUrl = requireAddress();
    if (enabled && !caller.license.domains.includes(domain)) throw domainNotRegistered();
    if (enabled) await requireControl(parts, licenseId, domain);
    const { dailyCap } = config;
    const wanted = { licenseId, domain, enabled, showGrade, rotate, dailyCap, now: clock.now() };
    const site = await trustDesk.change(wanted);
    if (isRefusal(site)) throw site;
    return answerOf(caller, domain, site, baseUrl);
  };

  const shown = show(SiteTrust, EXAMPLE, 'What the public sees of the site, and where.');
  const reading = new Elysia()
    .derive(authenticate)
    .get('/sites/:siteId/trust', ({ caller, params: { siteId } }) => read(caller, siteId), {
      response: answers(shown, ...BEARER_CODES, 'SITE_NOT_FOUND', 'TRUST_DISABLED'),
      detail: {
        ...SHOWN,
        operationId: 'getSiteTrust',
        summary: 'What the public sees of a site',
        description: 'Nothing, until POST switches it on.',
      },
    });

  return reading.use(
    new Elysia()
      .derive(authenticate)
      .onTransform(readJson({ capBytes: 8 * KIB }))
      .onTransform(checkBody(TrustRequest))
      .post(
        '/sites/:siteId/trust',
        async ({ caller, params: { siteId }, body }) =>
          change(caller, siteId, body as Static<typeof TrustRequest>),
        {
          body: TrustRequest,
          response: answers(
            shown,
            ...BEARER_CODES,
            ...BODY_CODES,
            'PLAN_REQUIRED',
            'SITE_NOT_FOUND',
            'TRUST_DISABLED',
            'DOMAIN_NOT_VERIFIED',
            'DOMAIN_MISMATCH',
            'DAILY_CAP_EXCEEDED',
            'STORE_UNAVAILABLE',
          ),
          detail: {
            ...SHOWN,
            operationId: 'setSiteTrust',
            summary: 'Show the public how a site was assessed, or stop it',
            description:
              'Switched on, anybody sees the domain of the site, and, while an assessment is current and good enough, its grade and ' +
              'date; never a bad grade, a finding, or anything of the license. Needs proof of control of the domain. A lesser ' +
              'assessment takes the state away after 72 hours, a critical alert at once. Changes have a daily volume per license; ' +
              'switching off is always possible. Switching it on needs the plan pro or a higher one.',
          },
        },
      ),
  );
};

const trustDisabled = () =>
  refuse(
    'TRUST_DISABLED',
    'This service shows no trust states: its operator has to set SERVICE_BASE_URL to its public address, and not SERVICE_TRUST_ENABLED to 0.',
  );
