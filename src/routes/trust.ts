import { Elysia, t } from 'elysia';
import { ASSESSMENT_PARTS } from '../domain/assessment/assessment.ts';
import { refuse } from '../domain/refusal.ts';
import type { HookContext } from '../http/context.ts';
import {
  answers,
  bareAnswers,
  closed,
  NOT_MODIFIED,
  nullable,
  show,
  success,
  textBody,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { oneOf } from '../http/fields.ts';
import { queryParameters, queryReader } from '../http/query.ts';
import { answerFixed, answerFrom, represent } from '../http/representations.ts';
import { synchronous } from '../http/synchronous.ts';
import { isoOrNull } from '../lib/clock.ts';
import { madeOnce } from '../lib/made-once.ts';
import type { PublicTrust } from '../tasks/trust.ts';
import { GradeName } from './fields/assessment-fields.ts';
import { EXAMPLE_TOKEN } from './fields/credential-fields.ts';
import type { Parts } from './parts.ts';
import { TrustStateName } from './site-trust.ts';
import { EXAMPLE_TRUST_ID } from './trust/addresses.ts';
import { BADGE_OF_NOBODY, badgeOf } from './trust/badge.ts';

const TRUST_ID = {
  name: 'trustId',
  in: 'path' as const,
  required: true,
  description: 'what a badge calls its site by',
  schema: { type: 'string' as const },
};

const Trust = typed('TrustStatement', {
  trust_id: t.String({ description: 'the id that was asked for' }),
  domain: t.String({
    description:
      'the site that this is about, in its ASCII form: compare it with the site that shows the badge',
  }),
  state: TrustStateName,
  grade: nullable(GradeName, 'null = not current, or the site does not show it'),
  assessed_at: nullable(
    timestamp('to the hour, when the oldest of what was examined was so; null = not current'),
  ),
  valid_until: nullable(timestamp('after which it must not be relied on; null = not current')),
  assessed: t.Array(oneOf(ASSESSMENT_PARTS, undefined, 'AssessmentPart'), {
    description: 'what was fully examined; nothing else was',
  }),
  issuer: t.String({ description: 'the address of this service' }),
  credential: nullable(
    t.String({ description: 'a JWT of the type `vc+jwt` that states the same, for anybody to verify' }),
    'null = there is none',
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
  style: t.Optional(t.Literal('domain', { description: 'adds the domain to the picture' })),
});

const STATE_HEADERS = { 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-cache' };
const PICTURE_HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'cross-origin',
};
// A badge that is older misleads; one that is never kept is asked for with every page.
const BADGE_HEADERS = { ...PICTURE_HEADERS, 'cache-control': 'public, max-age=300' };

/** What anybody may know of a site that wants it known. Nothing is kept of who asks. */
export const trust = ({ limits, trustDesk, publicUrl }: Parts) => {
  const readQuery = queryReader(BadgeQuery, 'refused');
  const state = madeOnce((site: PublicTrust) => represent(JSON.stringify(stated(site)), STATE_HEADERS));
  const badge = madeOnce((site: PublicTrust) => represent(badgeOf(site, false), BADGE_HEADERS));
  // An error has no picture that image proxies pass on.
  const badgeOfNobody = answerFixed(() => BADGE_OF_NOBODY, BADGE_HEADERS);
  const badgeWithDomain = madeOnce((site: PublicTrust) => represent(badgeOf(site, true), BADGE_HEADERS));

  const stated = ({ trustId, domain, assessedAt, validUntil, ...shown }: PublicTrust) => {
    const { state, grade, assessed, credential } = shown;
    return success({
      ...{ trust_id: trustId, domain, state, grade },
      assessed_at: isoOrNull(assessedAt),
      valid_until: isoOrNull(validUntil),
      ...{ assessed, issuer: publicUrl(), credential },
    });
  };

  return new Elysia()
    .derive(allowAnyOrigin)
    .derive(limits.perIp('trust'))
    .get(
      '/trust/:trustId',
      async ({ request, set, params: { trustId } }) => {
        const site = await trustDesk.published(trustId);
        if (site === undefined) throw trustNotFound();
        return answerFrom({ request, set } as HookContext, await state(site));
      },
      {
        response: {
          ...answers(
            show(Trust, EXAMPLE, 'How the site stands before the public.'),
            'RATE_LIMITED',
            'TRUST_NOT_FOUND',
          ),
          ...NOT_MODIFIED,
        },
        detail: {
          tags: [TAGS.trust],
          operationId: 'getTrust',
          summary: 'How a site stands before the public',
          description:
            'For anybody, without a key; scripts of any site may read it, whose browsers revalidate what they keep by themselves. ' +
            '`not_current` does not mean that something is wrong with a site: it may never have been assessed, or not lately. An id ' +
            'that is unknown and one that was switched off are answered alike. Send the ETag back in If-None-Match to get a 304.',
          parameters: [TRUST_ID],
          security: [],
        },
      },
    )
    .get(
      '/trust/:trustId/badge.svg',
      async ({ request, set, params: { trustId } }) => {
        const { style } = readQuery(request);
        const site = await trustDesk.published(trustId);
        if (site === undefined) return badgeOfNobody({ request, set } as HookContext);
        const picture = style === undefined ? badge(site) : badgeWithDomain(site);
        return answerFrom({ request, set } as HookContext, await picture);
      },
      {
        response: {
          ...bareAnswers(
            textBody(
              'image/svg+xml',
              'The picture, for an `img` element; grey when no site shows its state by this id.',
              BADGE_OF_NOBODY,
            ),
            'RATE_LIMITED',
            'INVALID_QUERY',
          ),
          ...NOT_MODIFIED,
        },
        detail: {
          tags: [TAGS.trust],
          operationId: 'getTrustBadge',
          summary: 'The same as a picture',
          description:
            'An SVG of 20 pixels in height, which names state, grade and day in words, to screen readers too. Kept by browsers for five ' +
            'minutes.',
          parameters: [TRUST_ID, ...queryParameters(BadgeQuery)],
          security: [],
        },
      },
    );
};

const allowAnyOrigin = synchronous(({ set }: Pick<HookContext, 'set'>): void => {
  set.headers['access-control-allow-origin'] = '*';
});

const trustNotFound = () => refuse('TRUST_NOT_FOUND', 'There is no public trust state with this id.');
