/** Converts an empty array, PHP's form of an empty object, to an empty object. */
export const emptyObject = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? {} : value;

/** Applies {@link emptyObject} to these fields of an object. */
export function mendEmptyObjects(holder: unknown, names: readonly string[]): void {
  if (typeof holder !== 'object' || holder === null) return;
  for (const name of names) {
    if (name in holder) Object.assign(holder, { [name]: emptyObject(holder[name as keyof typeof holder]) });
  }
}
