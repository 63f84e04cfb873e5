import type { AttackType } from './attack-type.ts';
import type { FeedEntry } from './feed.ts';

/** A threat of the feed with its history, as other tools get it. */
export interface FeedObject {
  readonly fingerprint: string;
  /** Of its indicator. */
  readonly uuid: string;
  readonly attackType: AttackType;
  readonly corroborationCount: number;
  /** When it was in the feed first, in milliseconds since the Unix epoch. */
  readonly createdAt: number;
  /** The moment of its version, in milliseconds since the Unix epoch; later with every version. */
  readonly modifiedAt: number;
  /** In microseconds since the Unix epoch; different for every version of every threat, and later than all before it. */
  readonly dateAdded: number;
  /** Whether it is no longer in the feed. */
  readonly isWithdrawn: boolean;
}

/** The change of an entry between two feeds. */
export interface ChangedEntry extends FeedEntry {
  readonly isWithdrawn: boolean;
}

/** The end of each entry but the last, and the beginning of the next one. */
const BETWEEN = '},{';

/** The texts of the entries of a feed, without their braces: an entry contains no other object. */
const textsOf = (entries: string): string[] =>
  entries.length <= '[]'.length ? [] : entries.slice('[{'.length, -'}]'.length).split(BETWEEN);

/**
 * The entries that are new, different or gone in a feed. Those of both feeds are compared without being parsed, since there may be hundreds of thousands.
 *
 * @param before the entries of the previous feed as JSON
 * @param after those of the next one
 */
export function changesBetween(before: string, after: string): ChangedEntry[] {
  if (before === after) return [];
  const previous = new Set(textsOf(before));
  const changed = textsOf(after).filter((text) => !previous.delete(text));
  const parsed = changed.map((text) => ({ ...entryIn(text), isWithdrawn: false }));
  const present = new Set(parsed.map(({ fingerprint }) => fingerprint));
  const gone = Array.from(previous, entryIn).filter(({ fingerprint }) => !present.has(fingerprint));
  return [...parsed, ...gone.map((entry) => ({ ...entry, isWithdrawn: true }))];
}

const entryIn = (text: string): FeedEntry => JSON.parse(`{${text}}`) as FeedEntry;
