/** A part of a text. */
export interface Place {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** A rule that finds places in a text, so that the rest of the text can stay. */
export interface PlaceRule {
  /** As in rule-table.ts. */
  readonly id: string;
  /**
   * A cheap test, true for every text in which the rule finds something.
   *
   * @param small the text in lower case
   */
  mayBeIn(text: string, small: string): boolean;
  /** What it finds, from first to last, in linear time. */
  placesIn(text: string): Iterable<Place>;
}

/** A place and the rule that found it. */
export interface Found extends Place {
  readonly id: string;
}

/** The findings of some rules in a text, from first to last. Overlapping places are merged; the first one's rule applies. */
export function findPlaces(rules: readonly PlaceRule[], text: string): Found[] {
  const found = rules.flatMap(({ id, placesIn }, rank) =>
    [...placesIn(text)].map(({ start, end }) => ({ start, end, id, rank })),
  );
  const merged: typeof found = [];
  for (const place of found.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last === undefined || place.start >= last.end) {
      merged.push(place);
      continue;
    }
    last.end = Math.max(last.end, place.end);
    if (place.rank < last.rank) [last.id, last.rank] = [place.id, place.rank];
  }
  return merged;
}
