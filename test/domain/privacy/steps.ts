/** The cost of a built-in call, in visited characters. */
type Cost = (self: unknown, values: readonly unknown[], result: unknown, lastIndex: number) => number;

const one: Cost = () => 1;
const ownLength: Cost = (self) => String(self).length;
const resultLength: Cost = (_self, _values, result) => String(result).length;
/** A search reads up to its match. */
const searched: Cost = (self, [, from], found) =>
  (Number(found) < 0 ? String(self).length : Number(found)) - Number(from ?? 0) + 1;
/** A sticky pattern is tried once; another one at every character. */
const tried: Cost = (self, [text]) => (self instanceof RegExp && self.sticky ? 64 : String(text).length);

/** A pattern with a place reads from there to the end of its match, or without one to the end of the text. */
const gone: Cost = (self, [text], found, lastIndex) => {
  if (!(self instanceof RegExp && (self.sticky || self.global))) return String(text).length;
  if (found) return self.lastIndex - lastIndex + 1;
  return self.sticky ? 64 : String(text).length - lastIndex;
};

const COSTS: readonly (readonly [object, string, Cost])[] = [
  ...['charCodeAt', 'charAt', 'startsWith'].map((name) => [String.prototype, name, one] as const),
  ...['includes', 'normalize', 'replace', 'match', 'split', 'toLowerCase', 'toUpperCase'].map(
    (name) => [String.prototype, name, ownLength] as const,
  ),
  [String.prototype, 'slice', resultLength],
  [String.prototype, 'indexOf', searched],
  [RegExp.prototype, 'test', tried],
];
/** Any effect of a pattern. */
export const EXEC = [RegExp.prototype, 'exec', gone] as const;

/** Counts the steps of some work without a clock: the built-ins are wrapped while it runs. */
export function stepsOf(work: () => void, more: typeof COSTS = []): number {
  let steps = 0;
  const costs = [...COSTS, ...more];
  const originals = costs.map(([target, name]) => Object.getOwnPropertyDescriptor(target, name) ?? {});
  for (const [index, [target, name, cost]] of costs.entries()) {
    const original: PropertyDescriptor = originals[index] ?? {};
    const call: (...values: unknown[]) => unknown = original.value;
    const value = function (this: unknown, ...values: unknown[]): unknown {
      const lastIndex = this instanceof RegExp ? this.lastIndex : 0;
      const result = call.apply(this, values);
      steps += cost(this, values, result, lastIndex);
      return result;
    };
    Object.defineProperty(target, name, { ...original, value });
  }
  try {
    work();
  } finally {
    for (const [index, [target, name]] of costs.entries()) {
      Object.defineProperty(target, name, originals[index] ?? {});
    }
  }
  return steps;
}
