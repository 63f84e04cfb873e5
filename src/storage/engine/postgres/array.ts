/** A list as PostgreSQL writes it. */
export const arrayOf = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join(',')}}`;

/** JSON has the same quotes, and is made three times as fast; other characters it would write in words of its own. */
const quoted = (value: string): string =>
  OTHERS.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(value);

const OTHERS = /[^ -\ud7ff\ue000-\uffff]/;
