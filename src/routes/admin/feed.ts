import { type Static, Type as t } from '@sinclair/typebox';
import { refuse } from '../../domain/refusal.ts';
import { SEVERITIES } from '../../domain/severity.ts';
import { ATTACK_TYPES } from '../../domain/threat/attack-type.ts';
import { EXAMPLE_FINGERPRINT, FINGERPRINT } from '../../domain/threat/fingerprint.ts';
import { closed, nullable, show, timestamp, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import { queryOf, shared } from '../../http/route/index.ts';
import { iso } from '../../lib/clock.ts';
import { readFeedRulings } from '../../storage/threats/feed-rulings.ts';
import { readFeedSnapshot } from '../../storage/threats/feed-snapshots.ts';
import { readOrigins } from '../../storage/threats/feed-trusts.ts';
import { PAGE, PAGE_DEFAULT } from '../fields/page-query.ts';
import type { Parts } from '../parts.ts';
import { TAGS } from './contract.ts';
import { ENTRY_CURSOR, entryPage } from './feed-entries.ts';
import { FingerprintField, RulingName } from './fields/feed.ts';
import { tokenRoute } from './token-route.ts';

const EntryQuery = closed(PAGE('entries', ENTRY_CURSOR));
const RulingQuery = closed(PAGE('rulings', FINGERPRINT));
const NEXT = nullable(t.String({ description: 'cursor of the next page; null on the last page' }));

const FeedPage = typed('FeedPage', {
  epoch: t.Integer({ minimum: 0, description: 'epoch of the first appearance of this content' }),
  generated_at: timestamp('time of creation of this content'),
  entries: t.Array(
    typed('FeedEntry', {
      fingerprint: FingerprintField,
      attack_type: oneOf(ATTACK_TYPES, 'attack type'),
      severity: oneOf(SEVERITIES, 'severity of the attack type'),
      corroboration_count: t.Integer({ minimum: 1, description: 'number of customers that reported it' }),
      origins: t.Array(t.String(), {
        description: 'names of trusted installations that also reported it',
      }),
    }),
    { description: 'entries in the order of the feed' },
  ),
  next_cursor: NEXT,
});

const RulingPage = typed('RulingPage', {
  rulings: t.Array(
    typed('Ruling', {
      fingerprint: FingerprintField,
      ruling: RulingName,
      ruled_at: timestamp('time of the ruling'),
    }),
    { description: 'excluded threats, ordered by fingerprint' },
  ),
  next_cursor: NEXT,
});

const feedOf = shared(({ clock, db }: Parts<'clock' | 'db'>) => {
  const rulings = readFeedRulings(db);

  const published = async ({ limit = PAGE_DEFAULT, cursor }: Static<typeof EntryQuery>) => {
    const snapshot = await readFeedSnapshot(db);
    if (snapshot === undefined) throw refuse('FEED_UNAVAILABLE', 'The feed has not been built yet.', 1);
    const page = entryPage(snapshot, { cursor, limit });
    const origins = await readOrigins(db, page.entries, clock.now());
    return {
      epoch: snapshot.epoch,
      generated_at: iso(snapshot.generatedAt),
      entries: page.entries.map((entry, at) => ({ ...entry, origins: origins[at] ?? [] })),
      next_cursor: page.cursor,
    };
  };

  const rulingPage = async ({ limit = PAGE_DEFAULT, cursor: after }: Static<typeof RulingQuery>) => {
    const found = await rulings.page({ after, limit: limit + 1 });
    const shown = found.slice(0, limit);
    return {
      rulings: shown.map(({ fingerprint, ruling, ruledAt }) => ({
        fingerprint,
        ruling,
        ruled_at: iso(ruledAt),
      })),
      next_cursor: found.length > limit ? (shown.at(-1)?.fingerprint ?? null) : null,
    };
  };

  return { published, rulingPage };
});

/** Operations that list published entries, and threats that operators excluded. */
export const feed = [
  tokenRoute({
    at: 'GET /feed',
    scope: 'feed:read',
    query: queryOf(EntryQuery, 'refused'),
    operationId: 'listFeedEntries',
    summary: 'List entries of the published feed',
    description:
      'Shows the number of reporting customers, never their identity. A cursor is valid until the feed changes. Scope `feed:read`.',
    tag: TAGS.feed,
    answer: show(
      FeedPage,
      {
        epoch: 5_880_211,
        generated_at: '2026-11-23T09:25:00.000Z',
        entries: [
          {
            fingerprint: EXAMPLE_FINGERPRINT,
            attack_type: 'sql_injection',
            severity: 'high',
            corroboration_count: 4,
            origins: ['north'],
          },
        ],
        next_cursor: null,
      },
      'Returns a page of the feed.',
    ),
    codes: ['FEED_UNAVAILABLE'],
    handle: feedOf(async ({ published }, { query }) => published(query)),
  }),
  tokenRoute({
    at: 'GET /feed/rulings',
    scope: 'feed:read',
    query: queryOf(RulingQuery, 'refused'),
    operationId: 'listFeedRulings',
    summary: 'List threats excluded from the feed',
    description: 'Scope `feed:read`.',
    tag: TAGS.feed,
    answer: show(
      RulingPage,
      {
        rulings: [
          { fingerprint: EXAMPLE_FINGERPRINT, ruling: 'withdrawn', ruled_at: '2026-11-23T09:30:00.000Z' },
        ],
        next_cursor: null,
      },
      'Returns a page of excluded threats.',
    ),
    handle: feedOf(async ({ rulingPage }, { query }) => rulingPage(query)),
  }),
];
