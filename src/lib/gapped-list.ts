/** The message for a list with gaps. */
export const LIST_WITH_GAPS =
  "Expected a list. PHP's json_encode writes an object when an array has gaps: send array_values(...)";

/** The entries of a list as PHP's json_encode writes one with gaps in its keys, an object with numbers for names; undefined for any other value. */
export function gappedList(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : undefined;
}
