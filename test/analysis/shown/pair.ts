/** A content that shows a signal, and one that comes near without showing it, which is clean. */
export interface Pair {
  readonly shown: string;
  readonly near: string;
  /** The site that both are sent from. */
  readonly siteUrl?: string;
}

/** Contents by the names of the signals of a table; those that a case of test/evaluation/cases shows need none. */
export type Pairs<Table> = Readonly<Partial<Record<keyof Table, Pair>>>;

/** Both of a pair, which differ in a piece that stands in the same surroundings. */
export const within =
  (surround: (piece: string) => string) =>
  (shown: string, near: string): Pair => ({ shown: surround(shown), near: surround(near) });

/** So many lines, or pieces apart by something else. */
export const many = (times: number, make: (index: number) => string, between = '\n'): string =>
  Array.from({ length: times }, (_, index) => make(index)).join(between);
