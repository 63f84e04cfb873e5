import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { refuse } from '../domain/refusal.ts';
import { SEVERITIES } from '../domain/severity.ts';
import type { FeedRepresentation, PublishedFeed } from '../feed.ts';
import { acceptsGzip } from '../http/accept-encoding.ts';
import { answers, closed, NOT_MODIFIED, nullable, success, timestamp } from '../http/answers.ts';
import { complete, type HookContext } from '../http/context.ts';
import { BEARER_OPTIONAL, TAGS } from '../http/contract.ts';
import { oneOf } from '../http/fields.ts';
import type { Parts } from '../parts.ts';

const RETRY_SECONDS = 5;

const Feed = closed({
  status: t.Union([t.Literal('ENABLED'), t.Literal('DISABLED')], {
    description: 'as the operator has set it',
  }),
  epoch: Type.Integer({
    minimum: 0,
    description: 'the epoch in which this content first appeared; 0 when disabled',
  }),
  generated_at: nullable(timestamp('when this content was made; null when disabled')),
  entries: t.Array(
    closed({
      fingerprint: t.String({ description: 'match-token, see POST /threat-report/report' }),
      attack_type: t.String({ description: 'as it was reported' }),
      severity: oneOf(SEVERITIES, 'by the words of the attack type, from least to most severe'),
      corroboration_count: Type.Integer({ minimum: 1, description: 'distinct licenses that reported it' }),
    }),
    { description: 'what enough licenses reported within the window' },
  ),
});

const DISABLED = success({ status: 'DISABLED' as const, epoch: 0, generated_at: null, entries: [] });

/** Weak comparison, as If-None-Match asks for; any coding of the same content matches. */
function matches(request: Request, { identity, gzip }: PublishedFeed): boolean {
  const condition = request.headers.get('if-none-match');
  if (condition === null) return false;
  if (condition.trim() === '*') return true;
  const tags = condition.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(identity.etag) || tags.includes(gzip.etag);
}

interface FixedHeaders {
  readonly unchanged: Headers;
  readonly whole: Headers;
}

const made = new WeakMap<FeedRepresentation, FixedHeaders>();

/** The headers that all answers with one representation share, made once. */
function headersOf(representation: FeedRepresentation, gzipped: boolean): FixedHeaders {
  const known = made.get(representation);
  if (known) return known;
  const unchanged = {
    etag: representation.etag,
    vary: 'Accept-Encoding',
    'cache-control': 'private, no-cache',
  };
  const headers = {
    unchanged: new Headers(unchanged),
    whole: new Headers({
      ...unchanged,
      'content-type': 'application/json;charset=utf-8',
      ...(gzipped ? { 'content-encoding': 'gzip' } : {}),
    }),
  };
  made.set(representation, headers);
  return headers;
}

export const threatFeed = ({ config, limits, authenticateValid, feed, uses }: Parts) => {
  const authorize = ({ request, set }: HookContext) => {
    if (!config.threatFeedEnabled) return;
    const { caller } = authenticateValid({ request, set });
    uses.note('threat-feed', caller.license.id);
  };

  return new Elysia()
    .derive(limits.perIp('threat-feed'))
    .onTransform(authorize)
    .get(
      '/threat-feed',
      async ({ request, set }) => {
        if (!config.threatFeedEnabled) return Response.json(DISABLED);
        const published = feed.current();
        const current = published instanceof Promise ? await published : published;
        if (current === undefined) throw refuse('FEED_UNAVAILABLE', 'There is no feed yet.', RETRY_SECONDS);

        const gzipped = acceptsGzip(request);
        const representation = gzipped ? current.gzip : current.identity;
        const headers = headersOf(representation, gzipped);
        set.headers.age = String(feed.ageSeconds());
        if (matches(request, current)) return complete(set, 304, null, headers.unchanged);
        return complete(set, 200, representation.body, headers.whole);
      },
      {
        response: {
          ...answers(Feed, 'UNAUTHORIZED', 'INVALID_KEY', 'RATE_LIMITED', 'FEED_UNAVAILABLE'),
          ...NOT_MODIFIED,
        },
        detail: {
          summary: 'The corroborated, identity-free threat feed',
          description:
            'Entries that several customers reported, changed only at an epoch boundary. While the feed is switched ' +
            'off, it is empty with status DISABLED and needs no key; else it needs one of a license that is active or in ' +
            'trial. Send the ETag back in If-None-Match to get a 304.',
          tags: [TAGS.threats],
          security: BEARER_OPTIONAL,
        },
      },
    );
};
