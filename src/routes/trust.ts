import { Type as t } from '@sinclair/typebox';
import { ASSESSMENT_PARTS } from '../domain/assessment/assessment.ts';
import { refuse } from '../domain/refusal.ts';
import {
  BARE,
  closed,
  conditional,
  ENVELOPED,
  nullable,
  show,
  success,
  textBody,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { oneOf } from '../http/fields.ts';
import { answerFixed, answerFrom, represent } from '../http/representations.ts';
import { openRoute, pathParameter, queryOf, shared } from '../http/route/index.ts';
import { isoOrNull } from '../lib/clock.ts';
import { madeOnce } from '../lib/made-once.ts';
import type { PublicTrust } from '../tasks/trust.ts';
import { GradeName } from './fields/assessment-fields.ts';
import { EXAMPLE_TOKEN } from './fields/credential-fields.ts';
import type { Parts } from './parts.ts';
import { TrustStateName } from './site-trust.ts';
import { EXAMPLE_TRUST_ID } from './trust/addresses.ts';
import { badgeOf, UNKNOWN_BADGE } from './trust/badge.ts';

const TRUST_ID = pathParameter('trustId', 'trust ID of the site, as used in its badge');

const Trust = typed('TrustStatement', {
  trust_id: t.String({ description: 'requested trust ID' }),
  domain: t.String({
    description: 'domain of the site in ASCII form; compare it with the site that shows the badge',
  }),
  state: TrustStateName,
  grade: nullable(GradeName, 'grade; null if not current or not shown by the site'),
  assessed_at: nullable(timestamp('time of the oldest data assessed, to the hour; null if not current')),
  valid_until: nullable(timestamp('time after which the state must not be relied on; null if not current')),
  assessed: t.Array(oneOf(ASSESSMENT_PARTS, undefined, 'AssessmentPart'), {
    description: 'fully assessed areas; all others were not',
  }),
  issuer: t.String({ description: 'URL of this service' }),
  credential: nullable(
    t.String({ description: 'the same statement as a JWT of type `vc+jwt` that anyone can verify' }),
    'the same statement as a signed credential; null if there is none',
  ),
});
const EXAMPLE = {
  trust_id: EXAMPLE_TRUST_ID,
  domain: 'shop.example',
  state: 'assessed',
  grade: 'A',
  assessed_at: '2026-11-22T09:30:00.000Z',
  valid_until: '2026-11-30T09:30:00.000Z',
  assessed: [...ASSESSMENT_PARTS],
  issuer: 'https://security.example',
  credential: EXAMPLE_TOKEN,
};
const BadgeQuery = closed({
  style: t.Optional(t.Literal('domain', { description: 'adds the domain to the badge' })),
});

const STATE_HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-cache' };
const PICTURE_HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'cross-origin',
};
// Outdated badges mislead; without caching, every page view would request the badge.
const BADGE_HEADERS = { ...PICTURE_HEADERS, 'cache-control': 'public, max-age=300' };

const trustOf = shared(
  ({ brand: { name }, trustDesk, publicUrl }: Parts<'brand' | 'publicUrl' | 'trustDesk'>) => {
    const state = madeOnce((site: PublicTrust) =>
      represent(JSON.stringify(success(stated(site))), STATE_HEADERS),
    );
    const badge = madeOnce((site: PublicTrust) => represent(badgeOf(site, false, name), BADGE_HEADERS));
    // Answered with 200, because image proxies do not pass on pictures of error responses.
    const unknownBadge = answerFixed(() => UNKNOWN_BADGE, BADGE_HEADERS);
    const badgeWithDomain = madeOnce((site: PublicTrust) =>
      represent(badgeOf(site, true, name), BADGE_HEADERS),
    );

    const stated = ({ trustId, domain, assessedAt, validUntil, ...shown }: PublicTrust) => {
      const { state, grade, assessed, credential } = shown;
      return {
        trust_id: trustId,
        domain,
        state,
        grade,
        assessed_at: isoOrNull(assessedAt),
        valid_until: isoOrNull(validUntil),
        assessed,
        issuer: publicUrl(),
        credential,
      };
    };

    return { published: trustDesk.published, state, badge, unknownBadge, badgeWithDomain };
  },
);

const ANY_ORIGIN = { 'access-control-allow-origin': '*' };

/** The public trust state of a site, and its badge. Requests are not recorded. */
export const trust = [
  openRoute({
    at: 'GET /trust/:trustId',
    headers: ANY_ORIGIN,
    limit: 'trust',
    tag: TAGS.trust,
    operationId: 'getTrust',
    summary: 'Get the public trust state of a site',
    description:
      'No key required. Scripts of any site can read it; browsers revalidate cached responses automatically. `not_current` does not mean that the site has a problem: it may not have been assessed, or not recently. Unknown and disabled IDs give the same response. Send the ETag in If-None-Match to get a 304.',
    parameters: [TRUST_ID],
    security: [],
    answer: show(Trust, EXAMPLE, 'Returns the public trust state.'),
    answers: conditional(ENVELOPED),
    codes: ['RATE_LIMITED', 'TRUST_NOT_FOUND'],
    handle: trustOf(async ({ published, state }, { request, set, params: { trustId } }) => {
      const site = await published(trustId);
      if (site === undefined) throw trustNotFound();
      return answerFrom({ request, set }, await state(site));
    }),
  }),
  openRoute({
    at: 'GET /trust/:trustId/badge.svg',
    headers: ANY_ORIGIN,
    limit: 'trust',
    query: queryOf(BadgeQuery, 'refused'),
    tag: TAGS.trust,
    operationId: 'getTrustBadge',
    summary: 'Get the badge of a site',
    description:
      'An SVG, 20 pixels high, with state, grade and date as text, also for screen readers. Browsers cache it for five minutes.',
    parameters: [TRUST_ID],
    security: [],
    answer: textBody(
      'image/svg+xml',
      'Returns the badge for an `img` element; grey if no site publishes its state under this ID.',
      UNKNOWN_BADGE,
    ),
    answers: conditional(BARE),
    codes: ['RATE_LIMITED'],
    handle: trustOf(async (shared, { request, set, params: { trustId }, query }) => {
      const { published, badge, unknownBadge, badgeWithDomain } = shared;
      const site = await published(trustId);
      if (site === undefined) return unknownBadge({ request, set });
      const picture = query.style === undefined ? badge(site) : badgeWithDomain(site);
      return answerFrom({ request, set }, await picture);
    }),
  }),
];

const trustNotFound = () => refuse('TRUST_NOT_FOUND', 'There is no public trust state with this id.');
