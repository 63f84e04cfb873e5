import { Type as t } from '@sinclair/typebox';
import { refuse } from '../domain/refusal.ts';
import { ATTACK_MEANINGS, ATTACK_TYPES } from '../domain/threat/attack-type.ts';
import type { Authenticate } from '../http/caller.ts';
import type { HookContext } from '../http/context.ts';
import {
  conditional,
  ENVELOPED,
  nullable,
  show,
  success,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_OPTIONAL, TAGS } from '../http/contract/contract.ts';
import { meanings, oneOf, SeverityName } from '../http/fields.ts';
import { answerFrom } from '../http/representations.ts';
import { created, openRoute } from '../http/route/index.ts';
import { whenReady } from '../lib/when-ready.ts';
import type { Parts } from './parts.ts';

const RETRY_SECONDS = 5;

const FeedContent = typed('ThreatFeed', {
  status: t.Union([t.Literal('ENABLED'), t.Literal('DISABLED')], {
    description: 'whether the operator has enabled the feed',
  }),
  epoch: t.Integer({
    minimum: 0,
    description: 'epoch of the first appearance of this content; 0 if disabled',
  }),
  generated_at: nullable(timestamp('time of creation of this content; null if disabled')),
  entries: t.Array(
    typed('ThreatFeedEntry', {
      fingerprint: t.String({ description: 'fingerprint of the threat, see POST /threat-report/report' }),
      attack_type: oneOf(ATTACK_TYPES, meanings('Attack type', ATTACK_MEANINGS), 'AttackType'),
      severity: { ...SeverityName, description: 'usual severity of the attack type' },
      corroboration_count: t.Integer({
        minimum: 1,
        description: 'number of distinct customers that reported it',
      }),
    }),
    {
      description:
        'threats reported by enough customers within the window; if there are too many, the most corroborated ones',
    },
  ),
});

const EXAMPLE = {
  status: 'ENABLED',
  epoch: 5_984_595,
  generated_at: '2026-11-22T09:30:00.000Z',
  entries: [
    {
      fingerprint: 'rBkej5r0xrZAPf97d7BbYn3Ptg5yEQjjhGCHD9wNFOc',
      attack_type: 'sql_injection',
      severity: 'high',
      corroboration_count: 3,
    },
  ],
};

const DISABLED = success({ status: 'DISABLED' as const, epoch: 0, generated_at: null, entries: [] });

interface ThreatFeedParts extends Parts<'config' | 'feed' | 'uses'> {
  readonly authenticateValid: Authenticate;
}

export const threatFeed = openRoute({
  at: 'GET /threat-feed',
  limit: 'threat-feed',
  operationId: 'getThreatFeed',
  summary: 'Get the threat feed',
  description:
    'Contains threats that several customers reported, without identities; changes only at epoch boundaries. All licenses of a customer count once, and only while they are paid, active, reporting and not new. While disabled, the feed is empty with status DISABLED and needs no key; otherwise it requires the key of a license that is active or in trial. Send the ETag in If-None-Match to get a 304.',
  tag: TAGS.threats,
  security: BEARER_OPTIONAL,
  answer: show(FeedContent, EXAMPLE, 'Returns the feed of the current epoch; empty if disabled.'),
  answers: conditional(ENVELOPED),
  codes: ['UNAUTHORIZED', 'INVALID_KEY', 'RATE_LIMITED', 'FEED_UNAVAILABLE'],
  handle: created(({ config, authenticateValid, feed, uses }: ThreatFeedParts) => {
    const answerCurrent = ({ request, set }: HookContext) =>
      whenReady(feed.current(), (current) => {
        if (current === undefined)
          throw refuse(
            'FEED_UNAVAILABLE',
            'The feed has not been built yet; try again later.',
            RETRY_SECONDS,
          );
        set.headers.age = String(feed.ageSeconds());
        return answerFrom({ request, set }, current);
      });

    return ({ request, set }) => {
      if (!config.threatFeedEnabled) return Response.json(DISABLED);
      return whenReady(authenticateValid({ request, set }), ({ licenseId }) => {
        uses.note('threat-feed', licenseId);
        return answerCurrent({ request, set });
      });
    };
  }),
});
