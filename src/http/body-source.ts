const sources = new WeakMap<object, string>();

/** Stores the JSON text of a body until the body is garbage-collected. */
export const noteSource = (body: object, json: string): void => {
  sources.set(body, json);
};

/** TypeScript's type of a reviver lacks the third parameter, the source text of a value. */
type Reviver = Parameters<typeof JSON.parse>[1];

const PLAIN_INTEGER = /^-?\d+$/;

/** Parses the body again, with null for numbers that are unsafe integers or not plain digits, such as `1.0` and `1e3`. */
export function plainIntegersOf(body: unknown): unknown {
  const json = typeof body === 'object' && body !== null ? sources.get(body) : undefined;
  return json === undefined ? undefined : JSON.parse(json, plainOrNull as Reviver);
}

const plainOrNull = (
  _name: string,
  value: unknown,
  { source = '' }: { readonly source?: string },
): unknown =>
  typeof value !== 'number' || (Number.isSafeInteger(value) && PLAIN_INTEGER.test(source)) ? value : null;
