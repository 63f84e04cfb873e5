import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { refuse } from '../domain/refusal.ts';
import { ATTACK_MEANINGS, ATTACK_TYPES } from '../domain/threat/attack-type.ts';
import type { Caller, HookContext } from '../http/context.ts';
import {
  answers,
  NOT_MODIFIED,
  nullable,
  show,
  success,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_OPTIONAL, TAGS } from '../http/contract/contract.ts';
import { meanings, oneOf, SeverityName } from '../http/fields.ts';
import { answerFrom } from '../http/representations.ts';
import { whenReady } from '../lib/when-ready.ts';
import type { Parts } from './parts.ts';

const RETRY_SECONDS = 5;

const Feed = typed('ThreatFeed', {
  status: t.Union([t.Literal('ENABLED'), t.Literal('DISABLED')], {
    description: 'whether the operator has enabled the feed',
  }),
  epoch: Type.Integer({
    minimum: 0,
    description: 'epoch of the first appearance of this content; 0 if disabled',
  }),
  generated_at: nullable(timestamp('time of creation of this content; null if disabled')),
  entries: t.Array(
    typed('ThreatFeedEntry', {
      fingerprint: t.String({ description: 'fingerprint of the threat, see POST /threat-report/report' }),
      attack_type: oneOf(ATTACK_TYPES, meanings('Attack type', ATTACK_MEANINGS), 'AttackType'),
      severity: { ...SeverityName, description: 'usual severity of the attack type' },
      corroboration_count: Type.Integer({
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

export const threatFeed = ({ config, limits, authenticateValid, feed, uses }: Parts) => {
  const noteUse = ({ caller }: { caller: Caller }) => uses.note('threat-feed', caller.license.id);
  const authorize = ({ request, set }: HookContext) => {
    if (!config.threatFeedEnabled) return undefined;
    return whenReady(authenticateValid({ request, set }), noteUse);
  };

  return new Elysia()
    .derive(limits.perIp('threat-feed'))
    .onTransform(authorize)
    .get(
      '/threat-feed',
      ({ request, set }) => {
        if (!config.threatFeedEnabled) return Response.json(DISABLED);
        return whenReady(feed.current(), (current) => {
          if (current === undefined)
            throw refuse(
              'FEED_UNAVAILABLE',
              'The feed has not been built yet; try again later.',
              RETRY_SECONDS,
            );
          set.headers.age = String(feed.ageSeconds());
          return answerFrom({ request, set }, current);
        });
      },
      {
        response: {
          ...answers(
            show(Feed, EXAMPLE, 'Returns the feed of the current epoch; empty if disabled.'),
            'UNAUTHORIZED',
            'INVALID_KEY',
            'RATE_LIMITED',
            'FEED_UNAVAILABLE',
          ),
          ...NOT_MODIFIED,
        },
        detail: {
          operationId: 'getThreatFeed',
          summary: 'Get the threat feed',
          description:
            'Contains threats that several customers reported, without identities; changes only at epoch boundaries. All licenses of a customer count once, and only while they are paid, active, reporting and not new. While disabled, the feed is empty with status DISABLED and needs no key; otherwise it requires the key of a license that is active or in trial. Send the ETag in If-None-Match to get a 304.',
          tags: [TAGS.threats],
          security: BEARER_OPTIONAL,
        },
      },
    );
};
