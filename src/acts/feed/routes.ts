import { isRefusal } from '../../domain/refusal.ts';
import { EXAMPLE_FINGERPRINT } from '../../domain/threat/fingerprint.ts';
import { KIB } from '../../http/context.ts';
import { nullable, show, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import type { Act } from '../../operator/act.ts';
import { TAGS } from '../../routes/admin/contract.ts';
import { act, actOf, noticesField, replayedField } from '../../routes/admin/fields/act.ts';
import { FingerprintField, RulingName } from '../../routes/admin/fields/feed.ts';
import type { AdminParts } from '../../routes/admin/parts.ts';
import { readFeedRulings } from '../../storage/threats/feed-rulings.ts';
import { actRoute, mountAct } from '../route.ts';
import { RULED, RULINGS, rebuild } from './acts.ts';

const RulingDone = typed('RulingDone', {
  fingerprint: FingerprintField,
  ruling: nullable(RulingName, 'current ruling; null: the reports decide'),
  takes_effect: oneOf(['now', 'next_epoch'], 'when the change takes effect in the feed'),
  ...noticesField,
  ...replayedField,
});

const RebuildDone = typed('RebuildDone', { ...noticesField, ...replayedField });

/** What operators rule about the feed, and rebuilding it. */
export function feedActRoutes(parts: AdminParts) {
  const { db, desk, clock, feedDesk } = parts;
  const rulings = readFeedRulings(db);
  const common = { scope: 'feed:write', tag: TAGS.feed, capBytes: 8 * KIB } as const;

  const rebuildAfter = async (by: Act): Promise<readonly string[]> => {
    const done = await feedDesk.rebuild(by, (planned) => desk.do(undefined, by.now, () => planned));
    if (isRefusal(done)) throw done;
    return done.notices;
  };

  return [
    ...RULINGS.map((definition) =>
      actRoute(parts, definition, {
        ...common,
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
        find: (_, { fingerprint }) => String(fingerprint),
        async answer(request, _, { notices, plan }) {
          const { fingerprint, rebuild } = request.body;
          // Also for a repeated request: the rebuild of the first one may have failed.
          const more = rebuild ? await rebuildAfter(actOf(clock, request)) : [];
          return {
            fingerprint,
            ruling: (await rulings.find(String(fingerprint)))?.ruling ?? null,
            takes_effect: rebuild ? 'now' : 'next_epoch',
            notices: [...notices, ...more],
            replayed: plan === undefined,
          };
        },
      }),
    ),
    mountAct(
      parts,
      rebuild,
      {
        ...common,
        path: '/feed/rebuild',
        done: show(RebuildDone, { notices: [], replayed: false }, 'Returned once the feed is rebuilt.'),
      },
      async (request) => {
        const by = actOf(clock, request);
        const { notices, plan } = await feedDesk.rebuild(by, (planned) => act(parts, request, () => planned));
        return { notices: [...notices], replayed: plan === undefined };
      },
    ),
  ];
}
