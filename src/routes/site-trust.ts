import { type Static, Type as t } from '@sinclair/typebox';
import { notRefused, refuse } from '../domain/refusal.ts';
import { TRUST_PROBLEMS, TRUST_STATES, type TrustProblem, type TrustState } from '../domain/trust/trust.ts';
import { bodySchema } from '../http/body.ts';
import { type Caller, KIB } from '../http/context.ts';
import { nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { meanings, oneOf } from '../http/fields.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { bearerRoute, jsonBody, shared } from '../http/route/index.ts';
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
    enabled: t.Boolean({ description: 'whether the trust state is public' }),
    rotate: t.Optional(
      t.Boolean({
        description: 'true: replace the trust ID; badges and links with the old ID stop working',
      }),
    ),
    show_grade: t.Optional(
      t.Boolean({
        description: 'whether to show the grade; default: unchanged, initially true',
      }),
    ),
  },
  { enabled: true, show_grade: true },
);

export const TrustStateName = oneOf(
  TRUST_STATES,
  meanings('Public trust state', {
    assessed: 'recently assessed, with a sufficient grade.',
    not_current: 'no such assessment, for any reason.',
  } satisfies Record<TrustState, string>),
  'TrustState',
);

export const SiteTrust = typed('SiteTrust', {
  enabled: t.Boolean({ description: 'whether the trust state is public' }),
  show_grade: t.Boolean({ description: 'whether the grade is shown' }),
  trust_id: nullable(
    t.String({ description: 'random public ID, kept while disabled' }),
    'random public ID, kept while disabled; null if never enabled',
  ),
  state: nullable(TrustStateName, 'public trust state, as in GET /trust/{trustId}; null while disabled'),
  problem: nullable(
    oneOf(TRUST_PROBLEMS, undefined, 'TrustProblem'),
    meanings('Reason why the state is not current, visible only here; null if it is current', {
      license_not_valid: 'the license is suspended or pending, or its plan does not include trust states.',
      domain_not_verified: 'the domain verification has lapsed.',
      surface_scans_disabled: 'the operator has turned surface scans off.',
      clock_behind: 'the clock of this service was set back.',
      critical_alert: 'a critical alert is open, or was not resolved since the assessment.',
      never_assessed: 'no recent assessment; queue one, or set a schedule.',
      grade_too_low: 'the grades of the last assessments are too low.',
      outdated: 'the data of the last assessment is too old.',
    } satisfies Record<TrustProblem, string>),
  ),
  current_until: nullable(
    timestamp('time until which the state remains assessed without changes; visible only here'),
  ),
  page_url: nullable(t.String({ description: 'URL of the public page' })),
  badge_url: nullable(t.String({ description: 'URL of the badge; `?style=domain` adds the domain' })),
  embed_html: nullable(t.String({ description: 'HTML to embed in the site: the badge, linked to the page' })),
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

/** Returns the HTML of the badge. The service gets no referrer, so it learns nothing about visitors of the site. */
function embedding(baseUrl: string, trustId: string, domain: string): string {
  const alt = escaped(`Security assessment of ${domain}`);
  return (
    `<a href="${escaped(pageAddress(baseUrl, trustId))}" referrerpolicy="no-referrer">` +
    `<img src="${escaped(badgeAddress(baseUrl, trustId))}" alt="${alt}" height="${BADGE_HEIGHT}" loading="lazy" referrerpolicy="no-referrer"></a>`
  );
}

const SHOWN = { tag: TAGS.tenant, parameters: [SITE_ID] };

const siteTrustOf = shared((parts: Parts<'clock' | 'config' | 'tenantData' | 'trustDesk'>) => {
  const { tenantData, trustDesk, clock, config } = parts;

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
    return {
      enabled: site?.enabled ?? false,
      show_grade: site?.showGrade ?? true,
      trust_id: site?.trustId ?? null,
      state: standing?.state ?? null,
      problem: standing?.state === 'not_current' ? standing.problem : null,
      current_until: isoOrNull(standing?.state === 'assessed' ? standing.endsAt : null),
      page_url: site ? pageAddress(baseUrl, site.trustId) : null,
      badge_url: site ? badgeAddress(baseUrl, site.trustId) : null,
      embed_html: site ? embedding(baseUrl, site.trustId, domain) : null,
    };
  };

  const read = async (caller: Caller, siteId: string) => {
    const { domain } = await findSite(tenantData, caller.license.id, siteId);
    const baseUrl = requireAddress();
    return answerOf(caller, domain, await tenantData.trustSites.find(caller.license.id, domain), baseUrl);
  };

  const change = async (caller: Caller, siteId: string, body: Static<typeof TrustRequest>) => {
    const { enabled, rotate = false, show_grade: showGrade } = body;
    const licenseId = caller.license.id;
    // Disabling requires no plan, registered domain or verification.
    if (enabled) requirePlan(caller, 'pro');
    const { domain } = await findSite(tenantData, licenseId, siteId);
    const baseUrl = requireAddress();
    if (enabled && !caller.license.domains.includes(domain)) throw domainNotRegistered();
    if (enabled) await requireControl(parts, licenseId, domain);
    const { dailyCap } = config;
    const wanted = { licenseId, domain, enabled, showGrade, rotate, dailyCap, now: clock.now() };
    const site = notRefused(await trustDesk.change(wanted));
    return answerOf(caller, domain, site, baseUrl);
  };

  return { read, change };
});

const SHOWN_TRUST = show(SiteTrust, EXAMPLE, 'Returns the trust settings, state and URLs.');

/** Operations that publish or hide the trust state of a site. */
export const siteTrust = [
  bearerRoute({
    at: 'GET /sites/:siteId/trust',
    ...SHOWN,
    operationId: 'getSiteTrust',
    summary: 'Get the trust state of a site',
    description: 'Trust states are private until enabled with POST.',
    answer: SHOWN_TRUST,
    codes: ['SITE_NOT_FOUND', 'TRUST_DISABLED'],
    handle: siteTrustOf(({ read }, { caller, params: { siteId } }) => read(caller, siteId)),
  }),
  bearerRoute({
    at: 'POST /sites/:siteId/trust',
    body: jsonBody({ schema: TrustRequest, capBytes: 8 * KIB }),
    ...SHOWN,
    operationId: 'setSiteTrust',
    summary: 'Publish or hide the trust state of a site',
    description:
      'While enabled, the domain of the site is public and, while an assessment is current and sufficient, its grade and date; low grades, findings and license data are never public. Requires proof of control of the domain. A worse assessment withdraws the state after 72 hours, a critical alert immediately. Changes have a daily limit per license; disabling is always possible. Enabling requires the plan pro or higher.',
    answer: SHOWN_TRUST,
    codes: [
      'PLAN_REQUIRED',
      'SITE_NOT_FOUND',
      'TRUST_DISABLED',
      'DOMAIN_NOT_VERIFIED',
      'DOMAIN_MISMATCH',
      'DAILY_CAP_EXCEEDED',
      'STORE_UNAVAILABLE',
    ],
    handle: siteTrustOf(async ({ change }, { caller, params: { siteId }, body }) =>
      change(caller, siteId, body),
    ),
  }),
];

const trustDisabled = () =>
  refuse(
    'TRUST_DISABLED',
    'Trust states are turned off. The operator has to set SERVICE_BASE_URL to the public address of this service, and SERVICE_TRUST_ENABLED must not be 0.',
  );
