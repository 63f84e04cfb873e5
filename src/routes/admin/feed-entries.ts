import { refuse } from '../../domain/refusal.ts';
import { entriesOf, type FeedEntry, type FeedSnapshot } from '../../domain/threat/feed.ts';

/** Format of a cursor: the epoch, and the position in its feed. */
export const ENTRY_CURSOR = /^(\d{1,15})\.(\d{1,9})$/;

export interface EntryQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** Prefix of the fingerprints. */
  readonly beginning?: string | undefined;
}

export interface EntryPage {
  readonly entries: readonly FeedEntry[];
  /** Cursor of the next page; null on the last page. */
  readonly cursor: string | null;
}

/**
 * Returns a page of the published feed.
 *
 * @throws Refusal for a cursor of another epoch or list
 */
export function entryPage(snapshot: FeedSnapshot, { cursor, limit, beginning }: EntryQuery): EntryPage {
  const { epoch } = snapshot;
  const from = cursor === undefined ? 0 : placeIn(epoch, cursor);
  // One extra entry gives the position of the next page.
  const found = entriesOf(snapshot, from, beginning)
    .take(limit + 1)
    .toArray();
  const next = found[limit];
  return {
    entries: found.slice(0, limit).map(({ entry }) => entry),
    cursor: next === undefined ? null : `${epoch}.${next.place}`,
  };
}

/**
 * Parses a cursor. Returns the position in the feed of the epoch.
 *
 * @throws Refusal for a cursor of another epoch or list
 */
export function placeIn(epoch: number, cursor: string): number {
  const [, ofEpoch, place] = ENTRY_CURSOR.exec(cursor) ?? [];
  if (place === undefined || Number(ofEpoch) !== epoch)
    throw refuse(
      'INVALID_QUERY',
      'cursor: the feed has changed since. Leave it out to start from the first page.',
    );
  return Number(place);
}
