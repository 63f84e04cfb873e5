import { notRefused } from '../../domain/refusal.ts';
import { EXAMPLE_FINGERPRINT } from '../../domain/threat/fingerprint.ts';
import { KIB } from '../../http/context.ts';
import { nullable, show, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import type { Act } from '../../operator/act.ts';
import { TAGS } from '../../routes/admin/contract.ts';
import { act, actOf, noticesField, replayedField } from '../../routes/admin/fields/act.ts';
import { FingerprintField, RulingName } from '../../routes/admin/fields/feed.ts';
import type { Parts } from '../../routes/parts.ts';
import { readFeedRulings } from '../../storage/threats/feed-rulings.ts';
import { actRoute, ownActRoute } from '../route.ts';
import { RULED, RULINGS, rebuild } from './acts.ts';

const RulingDone = typed('RulingDone', {
  fingerprint: FingerprintField,
  ruling: nullable(RulingName, 'current ruling; null: the reports decide'),
  takes_effect: oneOf(['now', 'next_epoch'], 'when the change takes effect in the feed'),
  ...noticesField,
  ...replayedField,
});

const RebuildDone = typed('RebuildDone', { ...noticesField, ...replayedField });

const COMMON = { scope: 'feed:write', tag: TAGS.feed, capBytes: 8 * KIB } as const;

type RebuildParts = Parts<'clock' | 'desk' | 'feedDesk'>;

/** Operations that rule on feed entries, and that rebuild the feed. */
export const feedActRoutes = [
  ...RULINGS.map((definition) =>
    actRoute(
      definition,
      {
        ...COMMON,
        path: `/feed/${definition.verb}`,
        target: { fingerprint: FingerprintField },
        done: show(
          RulingDone,
          {
            fingerprint: EXAMPLE_FINGERPRINT,
            ruling: RULED[definition.verb],
            takes_effect: 'next_epoch',
            notices: [],
            replayed: false,
          },
          'Returns the current ruling.',
        ),
      },
      ({ db, desk, clock, feedDesk }: RebuildParts & Parts<'db'>) => {
        const rulings = readFeedRulings(db);
        const rebuildAfter = async (by: Act): Promise<readonly string[]> => {
          const done = notRefused(
            await feedDesk.rebuild(by, (planned) => desk.do(undefined, by.now, () => planned)),
          );
          return done.notices;
        };
        return {
          find: (_, { fingerprint }) => String(fingerprint),
          async answer(request, _, { notices, plan }) {
            const { fingerprint, rebuild } = request.body;
            // A repeated request rebuilds too, because the rebuild of the original may have failed.
            const more = rebuild ? await rebuildAfter(actOf(clock, request)) : [];
            return {
              fingerprint,
              ruling: (await rulings.find(String(fingerprint)))?.ruling ?? null,
              takes_effect: rebuild ? 'now' : 'next_epoch',
              notices: [...notices, ...more],
              replayed: plan === undefined,
            };
          },
        };
      },
    ),
  ),
  ownActRoute(
    rebuild,
    {
      ...COMMON,
      path: '/feed/rebuild',
      done: show(RebuildDone, { notices: [], replayed: false }, 'Returned once the feed is rebuilt.'),
    },
    (parts: RebuildParts) => async (request) => {
      const by = actOf(parts.clock, request);
      const { notices, plan } = await parts.feedDesk.rebuild(by, (planned) =>
        act(parts, request, () => planned),
      );
      return { notices: [...notices], replayed: plan === undefined };
    },
  ),
];
