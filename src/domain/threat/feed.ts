import type { Severity } from '../severity.ts';
import { type AttackType, attackTypeOf, severityOfAttack } from './attack-type.ts';

/** A fingerprint with how many customers vouch for it. */
export interface CorroboratedThreat {
  readonly fingerprint: string;
  readonly attackType: string;
  readonly customers: number;
}

/** What the feed says of one threat: nothing of who reported it. */
export interface FeedEntry {
  readonly fingerprint: string;
  readonly attack_type: AttackType;
  readonly severity: Severity;
  readonly corroboration_count: number;
}

export interface FeedSnapshot {
  /** Number of the epoch in which this content first appeared. */
  readonly epoch: number;
  /** Milliseconds since the Unix epoch. */
  readonly generatedAt: number;
  /** JSON text of the {@link FeedEntry} array: serialised once, compared and served as it is. */
  readonly entries: string;
}

/** Names are mapped here too: reports that an older version stored have them as they were sent. */
function feedEntry({ fingerprint, attackType, customers }: CorroboratedThreat): FeedEntry {
  const attack_type = attackTypeOf(attackType);
  return {
    fingerprint,
    attack_type,
    severity: severityOfAttack(attack_type),
    corroboration_count: customers,
  };
}

/**
 * Whether a threat is in a feed.
 *
 * @param fingerprint well-formed, so that nothing in it is escaped in JSON
 */
export const hasEntry = (snapshot: FeedSnapshot | undefined, fingerprint: string): boolean =>
  snapshot?.entries.includes(`{"fingerprint":"${fingerprint}",`) ?? false;

/** What each entry begins with; nothing in one is nested, so that it ends with the first brace that closes. */
const ENTRY = '{"fingerprint":"';

/** Entries that stand together in a feed. */
export interface FeedPart {
  readonly entries: readonly FeedEntry[];
  /** Where the next one stands; null = there is none. */
  readonly next: number | null;
}

/**
 * Some entries of a feed, without a look at the others: there may be hundreds of thousands.
 *
 * @param from where the first one stands, or stands before it
 * @param beginning what their fingerprints begin with
 */
export function entriesFrom(
  { entries: text }: FeedSnapshot,
  from: number,
  limit: number,
  beginning = '',
): FeedPart {
  const entries: FeedEntry[] = [];
  let at = text.indexOf(ENTRY + beginning, from);
  for (; at !== -1 && entries.length < limit; at = text.indexOf(ENTRY + beginning, at + 1))
    entries.push(JSON.parse(text.slice(at, text.indexOf('}', at) + 1)) as FeedEntry);
  return { entries, next: at === -1 ? null : at };
}

/** How many entries a feed has. */
export function countEntries({ entries: text }: FeedSnapshot): number {
  let count = 0;
  for (let at = text.indexOf(ENTRY); at !== -1; at = text.indexOf(ENTRY, at + 1)) count += 1;
  return count;
}

/**
 * The snapshot to serve from now on: the last one while its content holds, so that readers keep
 * their ETag, else a new one whose epoch is later than the last.
 */
export async function nextSnapshot(
  last: FeedSnapshot | undefined,
  threats: Iterable<CorroboratedThreat> | AsyncIterable<CorroboratedThreat>,
  nowMs: number,
  epochSeconds: number,
): Promise<FeedSnapshot> {
  const entries = `[${(await Array.fromAsync(threats, (threat) => JSON.stringify(feedEntry(threat)))).join(',')}]`;
  if (last?.entries === entries) return last;
  const epoch = Math.floor(nowMs / (epochSeconds * 1_000));
  return { epoch: Math.max(epoch, (last?.epoch ?? 0) + 1), generatedAt: nowMs, entries };
}
