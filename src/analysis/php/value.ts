import { ORIGIN, POSITIONS } from '../origin.ts';

/** Static knowledge about a value. */
export interface Value {
  /** The text of a constant; numbers and booleans as PHP prints them. */
  readonly text?: string;
  /** A set of {@link ORIGIN} bits. */
  readonly origins: number;
  /** Items of an array with constant keys; at most {@link ITEMS_MAX}. */
  readonly items?: ReadonlyMap<string, Value>;
  /** Origins of an array's other items; undefined = `origins` applies. */
  readonly rest?: number;
}

export const ITEMS_MAX = 2_000;
/** Maximum length of a constant, in characters, because concatenation can make it grow. */
export const TEXT_MAX = 256 * 1024;

export const UNKNOWN: Value = { origins: ORIGIN.none };

export const constant = (text: string, origins: number = ORIGIN.none): Value =>
  text.length > TEXT_MAX ? { origins } : { text, origins };

export const from = (origins: number): Value => (origins === ORIGIN.none ? UNKNOWN : { origins });

/** The origins of a value; for an array, those of all its items. */
export const originsOf = (value: Value): number => value.origins;

export function originsOfAll(values: readonly Value[]): number {
  let origins = 0;
  for (const value of values) origins |= originsOf(value);
  return origins;
}

/** The value outside of its function, where parameter positions have no meaning. */
export const withoutPositions = (value: Value): Value =>
  value.origins & POSITIONS ? { ...value, origins: value.origins & ~POSITIONS } : value;

/** A command's arguments as one value. */
export const asOne = ([first = UNKNOWN, ...others]: readonly Value[]): Value => ({
  ...first,
  origins: originsOf(first) | (originsOfAll(others) & ORIGIN.request),
});
