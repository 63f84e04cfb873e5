import { ORIGIN, POSITIONS } from '../origin.ts';

/** What is known of a value without running anything. */
export interface Value {
  /** Its text, when it is constant; numbers and booleans as PHP would print them. */
  readonly text?: string;
  /** A set of {@link ORIGIN} bits. */
  readonly origins: number;
  /** Of an array whose keys are constant; at most {@link ITEMS_MAX}. */
  readonly items?: ReadonlyMap<string, Value>;
  /** Of an array: the origins of what stands under keys that are not among the items; without it, those of the whole. */
  readonly rest?: number;
}

export const ITEMS_MAX = 2_000;
/** Longest constant that is kept, in characters: what may grow under concatenation. */
export const TEXT_MAX = 256 * 1024;

export const UNKNOWN: Value = { origins: ORIGIN.none };

export const constant = (text: string, origins: number = ORIGIN.none): Value =>
  text.length > TEXT_MAX ? { origins } : { text, origins };

export const from = (origins: number): Value => (origins === ORIGIN.none ? UNKNOWN : { origins });

/** The origins of a value; an array has those of everything that was put into it. */
export const originsOf = (value: Value): number => value.origins;

export function originsOfAll(values: readonly Value[]): number {
  let origins = 0;
  for (const value of values) origins |= originsOf(value);
  return origins;
}

/** The value for another function: which parameter it came from means nothing there. */
export const withoutPositions = (value: Value): Value =>
  value.origins & POSITIONS ? { ...value, origins: value.origins & ~POSITIONS } : value;

/** A command's arguments as one value. */
export const asOne = ([first = UNKNOWN, ...others]: readonly Value[]): Value => ({
  ...first,
  origins: originsOf(first) | (originsOfAll(others) & ORIGIN.request),
});
