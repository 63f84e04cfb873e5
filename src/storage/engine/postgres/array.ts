/** A list in PostgreSQL's notation. */
export const arrayOf = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join(',')}}`;

/** JSON has the same quotes and is three times as fast, but it escapes other characters differently. */
const quoted = (value: string): string =>
  OTHERS.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(value);

const OTHERS = /[^ -\ud7ff\ue000-\uffff]/;
