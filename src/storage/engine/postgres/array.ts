/** A list as PostgreSQL writes it. */
export const arrayOf = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => (typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value))).join(',')}}`;
