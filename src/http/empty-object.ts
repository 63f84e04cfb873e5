/** What was meant by a value: an empty object, as PHP writes one, or the value itself. */
export const emptyObject = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? {} : value;

/** Puts empty objects where some fields of an object hold PHP's. */
export function mendEmptyObjects(holder: unknown, names: readonly string[]): void {
  if (typeof holder !== 'object' || holder === null) return;
  for (const name of names) {
    if (name in holder) Object.assign(holder, { [name]: emptyObject(holder[name as keyof typeof holder]) });
  }
}
