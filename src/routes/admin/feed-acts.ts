import type { Static } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { isRefusal } from '../../domain/refusal.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { bodySchema, readJson } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { answers, BODY_CODES, nullable, show, success, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import { checkBody } from '../../http/schema-check.ts';
import type { Act } from '../../operator/act.ts';
import { allowThreat, restoreThreat, withdrawThreat } from '../../operator/rule-on-threat.ts';
import { readFeedRulings } from '../../storage/threats/feed-rulings.ts';
import { ACT_CODES, SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import {
  type AdminRequest,
  act,
  actOf,
  IDEMPOTENCY,
  noticesField,
  reasonField,
  replayedField,
} from './fields/act.ts';
import { EXAMPLE_FINGERPRINT, FingerprintField, RulingName } from './fields/feed.ts';
import type { AdminParts } from './parts.ts';

const RulingRequest = bodySchema(
  'RulingRequest',
  {
    fingerprint: FingerprintField,
    rebuild: t.Optional(
      t.Boolean({ description: 'true makes a new epoch now, in place of waiting for the next' }),
    ),
    ...reasonField,
  },
  { fingerprint: EXAMPLE_FINGERPRINT, reason: 'our own scanner' },
);

const RulingDone = typed('RulingDone', {
  fingerprint: FingerprintField,
  ruling: nullable(RulingName, 'what holds now; null = the reports decide'),
  takes_effect: oneOf(['now', 'next_epoch'], 'when the feed follows'),
  ...noticesField,
  ...replayedField,
});

const Rebuilding = bodySchema('Rebuilding', reasonField, { reason: 'after a report was withdrawn' });
const RebuildDone = typed('RebuildDone', { ...noticesField, ...replayedField });

const ACTS = [
  {
    verb: 'withdraw',
    operationId: 'withdrawThreat',
    summary: 'Take an entry out of the feed',
    description: 'Until it is restored, whoever reports it.',
    plan: withdrawThreat,
  },
  {
    verb: 'allow',
    operationId: 'allowThreat',
    summary: 'Never let a threat into the feed',
    description: 'Also one that nobody has reported yet, such as your own scanner.',
    plan: allowThreat,
  },
  {
    verb: 'restore',
    operationId: 'restoreThreat',
    summary: 'Let the reports decide again',
    description: 'About what was withdrawn or allowed.',
    plan: restoreThreat,
  },
] as const;

/** What operators rule about the feed. */
export const feedActs = (parts: AdminParts) => {
  const { db, desk, clock, feedDesk } = parts;
  const rulings = readFeedRulings(db);

  const rebuild = async (by: Act): Promise<readonly string[]> => {
    const done = await feedDesk.rebuild(by, (planned) => desk.do(undefined, by.now, () => planned));
    if (isRefusal(done)) throw done;
    return done.notices;
  };

  const rule = async (plan: (typeof ACTS)[number]['plan'], request: AdminRequest) => {
    const { fingerprint, rebuild: isRebuilt = false } = request.body as Static<typeof RulingRequest>;
    const done = await act(parts, request, async (by) => {
      const outcome = await plan(db, fingerprint, by);
      return 'refused' in outcome ? outcome : { ...outcome, facts: {} };
    });
    // Also for a repeated request: the rebuild of the first one may have failed.
    const more = isRebuilt ? await rebuild(actOf(clock, request)) : [];
    return success({
      fingerprint,
      ruling: (await rulings.find(fingerprint))?.ruling ?? null,
      takes_effect: isRebuilt ? ('now' as const) : ('next_epoch' as const),
      notices: [...done.notices, ...more],
      replayed: done.plan === undefined,
    });
  };

  const rebuildNow = async (request: AdminRequest) => {
    const done = await feedDesk.rebuild(actOf(clock, request), (planned) =>
      act(parts, request, () => planned),
    );
    return success({ notices: [...done.notices], replayed: done.plan === undefined });
  };

  const writing = (Body: Parameters<typeof checkBody>[0]) =>
    new Elysia()
      .derive(parts.authenticate)
      .derive(requireScope('feed:write'))
      .onTransform(readJson({ capBytes: 8 * KIB, whenEmpty: () => ({}) }))
      .onTransform(checkBody(Body));
  const codes = [...TOKEN_CODES, ...BODY_CODES, ...ACT_CODES] as const;
  const detail = { parameters: [IDEMPOTENCY], tags: [TAGS.feed], security: SECURITY };

  const ruling = ACTS.map(({ verb, plan, description, ...named }) =>
    writing(RulingRequest).post(
      `/feed/${verb}`,
      async ({ request, set, caller, body }) => rule(plan, { request, set, caller, body }),
      {
        body: RulingRequest,
        response: answers(
          show(
            RulingDone,
            {
              fingerprint: EXAMPLE_FINGERPRINT,
              ruling: verb === 'restore' ? null : verb === 'allow' ? 'allowed' : 'withdrawn',
              takes_effect: 'next_epoch',
              notices: [],
              replayed: false,
            },
            'What holds now.',
          ),
          ...codes,
        ),
        detail: { ...named, description: `${description} Scope \`feed:write\`.`, ...detail },
      },
    ),
  );

  return new Elysia().use(ruling).use(
    writing(Rebuilding).post(
      '/feed/rebuild',
      async ({ request, set, caller, body }) => rebuildNow({ request, set, caller, body }),
      {
        body: Rebuilding,
        response: answers(
          show(RebuildDone, { notices: [], replayed: false }, 'The feed is as it should be.'),
          ...codes,
        ),
        detail: {
          operationId: 'rebuildFeed',
          summary: 'Make a new epoch of the feed now',
          description: 'Unless it says what it should already. Scope `feed:write`.',
          ...detail,
        },
      },
    ),
  );
};
