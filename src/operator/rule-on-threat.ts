import { hasEntry } from '../domain/threat/feed.ts';
import type { FeedRuling } from '../domain/threat/feed-ruling.ts';
import { isFingerprint } from '../domain/threat/fingerprint.ts';
import type { Database } from '../storage/engine/database.ts';
import { readFeedRulings } from '../storage/threats/feed-rulings.ts';
import { readFeedSnapshot } from '../storage/threats/feed-snapshots.ts';
import { type Act, type ActOutcome, audited, type RefusedAct, unchanged } from './act.ts';

// A ruling takes effect in the next epoch: publishing another feed is a separate act, rebuildFeed.

/** Each is looked up by every count of the feed. */
const RULINGS_MAX = 100_000;
const MALFORMED: RefusedAct = {
  refused: 'not a fingerprint. Fingerprints have 43 characters, see "redoubt feed show"',
};
const ACTIONS: Readonly<Record<FeedRuling, string>> = { withdrawn: 'feed.withdraw', allowed: 'feed.allow' };

/** Plans to withdraw a threat that is in the feed now. Replaces a ruling that allows it. */
export const withdrawThreat = (db: Database, fingerprint: string, act: Act): Promise<ActOutcome> =>
  rule(db, fingerprint, 'withdrawn', act);

/** Plans to exclude a threat from the feed, with or without reports. Replaces a ruling that withdraws it. */
export const allowThreat = (db: Database, fingerprint: string, act: Act): Promise<ActOutcome> =>
  rule(db, fingerprint, 'allowed', act);

async function rule(db: Database, fingerprint: string, ruling: FeedRuling, act: Act): Promise<ActOutcome> {
  if (!isFingerprint(fingerprint)) return MALFORMED;
  const rulings = readFeedRulings(db);
  const before = await rulings.find(fingerprint);
  if (before?.ruling === ruling) return unchanged(`${fingerprint} is already ${ruling}`);
  if (before === undefined) {
    if (ruling === 'withdrawn' && !hasEntry(await readFeedSnapshot(db), fingerprint)) {
      return {
        refused: 'this fingerprint is not in the feed. To keep it out in future, use "redoubt feed allow"',
      };
    }
    if ((await rulings.count()) >= RULINGS_MAX) {
      const most = RULINGS_MAX.toLocaleString('en');
      return { refused: `the limit of ${most} rulings is reached. Restore some first` };
    }
  }
  const job = { name: 'ruleOnThreat', input: { fingerprint, ruling, now: act.now } } as const;
  return audited(act, ACTIONS[ruling], fingerprint, [job], {
    before: { ruling: before?.ruling ?? null },
    after: { ruling },
  });
}

/** Plans to remove the ruling on a threat, so that its reports decide again. */
export async function restoreThreat(db: Database, fingerprint: string, act: Act): Promise<ActOutcome> {
  if (!isFingerprint(fingerprint)) return MALFORMED;
  const before = await readFeedRulings(db).find(fingerprint);
  if (before === undefined) return { refused: 'this fingerprint is neither withdrawn nor allowed' };
  const job = { name: 'restoreThreat', input: { fingerprint } } as const;
  return audited(act, 'feed.restore', fingerprint, [job], {
    before: { ruling: before.ruling },
    after: { ruling: null },
  });
}
