import { DAY_MS } from '../../lib/clock.ts';
import type { Severity } from '../severity.ts';
import { type AttackType, severityOfAttack } from './attack-type.ts';

/** A fingerprint with the number of its reporters. */
export interface CorroboratedThreat {
  readonly fingerprint: string;
  readonly attackType: AttackType;
  /** Of this installation. */
  readonly customers: number;
  /** Those, and the weights of the installations that are trusted and have it in their feeds. */
  readonly voices: number;
}

/** The feed's content about one threat, without its reporters. */
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
  /**
   * The same for threats that customers of this installation report in sufficient number, counting only them; null when that is
   * all. Only this part goes to other installations, so that their own reports never return to them as those of another.
   */
  readonly own: string | null;
}

function feedEntry({ fingerprint, attackType }: CorroboratedThreat, vouching: number): FeedEntry {
  return {
    fingerprint,
    attack_type: attackType,
    severity: severityOfAttack(attackType),
    corroboration_count: vouching,
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

/** The entry that begins at a place in the text of a feed. */
const entryAt = ({ entries: text }: FeedSnapshot, place: number): FeedEntry =>
  JSON.parse(text.slice(place, text.indexOf('}', place) + 1)) as FeedEntry;

/** Entries at some places in the text of a feed. */
export const entriesAt = (snapshot: FeedSnapshot, places: readonly number[]): FeedEntry[] =>
  places.map((place) => entryAt(snapshot, place));

/**
 * Yields the entries of a feed, each with its place, one by one: there may be hundreds of thousands.
 *
 * @param from no entry before this place
 * @param beginning what their fingerprints begin with
 */
export function* entriesOf(
  snapshot: FeedSnapshot,
  from = 0,
  beginning = '',
): Generator<{ readonly place: number; readonly entry: FeedEntry }> {
  const { entries: text } = snapshot;
  const start = ENTRY + beginning;
  for (let place = text.indexOf(start, from); place !== -1; place = text.indexOf(start, place + 1))
    yield { place, entry: entryAt(snapshot, place) };
}

/** How many entries a feed has. */
export function countEntries({ entries: text }: FeedSnapshot): number {
  let count = 0;
  for (let at = text.indexOf(ENTRY); at !== -1; at = text.indexOf(ENTRY, at + 1)) count += 1;
  return count;
}

/** The entries for other installations. */
export const ownEntries = ({ own, entries }: FeedSnapshot): readonly FeedEntry[] =>
  JSON.parse(own ?? entries) as FeedEntry[];

/**
 * An unchanged feed gets a new epoch after this time, because its bundles for other installations expire (`BUNDLE_LIFE_MS`).
 */
const RENEWED_AFTER_MS = 30 * DAY_MS;

/**
 * The snapshot to serve from now on: the last one while its content holds, so that readers keep their ETag, for a month, else a
 * new one whose epoch is later than the last.
 *
 * @param minCorroboration customers of this installation that must have reported a threat before other installations get it
 */
export async function nextSnapshot(
  last: FeedSnapshot | undefined,
  threats: Iterable<CorroboratedThreat> | AsyncIterable<CorroboratedThreat>,
  minCorroboration: number,
  nowMs: number,
  epochSeconds: number,
): Promise<FeedSnapshot> {
  const all: string[] = [];
  // Usually no other installation has contributed; then it takes no memory.
  let ofOwn: string[] | undefined;
  for await (const threat of threats) {
    const { customers, voices } = threat;
    const text = JSON.stringify(feedEntry(threat, voices));
    if (customers !== voices) ofOwn ??= [...all];
    all.push(text);
    if (customers === voices) ofOwn?.push(text);
    else if (customers >= minCorroboration) ofOwn?.push(JSON.stringify(feedEntry(threat, customers)));
  }
  const entries = `[${all.join(',')}]`;
  const own = ofOwn === undefined ? null : `[${ofOwn.join(',')}]`;
  const isSame = last?.entries === entries && last.own === own;
  if (isSame && nowMs - last.generatedAt < RENEWED_AFTER_MS) return last;
  const epoch = Math.floor(nowMs / (epochSeconds * 1_000));
  return { epoch: Math.max(epoch, (last?.epoch ?? 0) + 1), generatedAt: nowMs, entries, own };
}
