/** The message for a list with gaps. */
export const LIST_WITH_GAPS =
  "Expected a list. PHP's json_encode writes an object when an array has gaps: send array_values(...)";

/** The entries of a PHP array with gaps, which json_encode writes as an object with numeric names; undefined for other values. */
export function gappedList(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : undefined;
}
