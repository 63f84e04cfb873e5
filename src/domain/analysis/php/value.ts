import { ORIGIN } from '../origin.ts';

/** What is known of a value without running anything. */
export interface Value {
  /** Its text, when it is constant; numbers and booleans as PHP would print them. */
  readonly text?: string;
  /** A set of {@link ORIGIN} bits. */
  readonly origins: number;
  /** Of an array whose keys are constant; at most {@link ITEMS_MAX}. */
  readonly items?: ReadonlyMap<string, Value>;
}

export const ITEMS_MAX = 2_000;
/** Longest constant that is kept, in characters: what may grow under concatenation. */
export const TEXT_MAX = 256 * 1024;

export const UNKNOWN: Value = { origins: ORIGIN.none };

export const constant = (text: string, origins: number = ORIGIN.none): Value =>
  text.length > TEXT_MAX ? { origins } : { text, origins };

export const from = (origins: number): Value => (origins === ORIGIN.none ? UNKNOWN : { origins });

/** The origins of a value and of everything in it, one level deep. */
export function originsOf(value: Value): number {
  let { origins } = value;
  if (value.items) for (const item of value.items.values()) origins |= item.origins;
  return origins;
}

export function originsOfAll(values: readonly Value[]): number {
  let origins = 0;
  for (const value of values) origins |= originsOf(value);
  return origins;
}
