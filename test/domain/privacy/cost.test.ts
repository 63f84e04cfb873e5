import { describe, expect, test } from 'bun:test';
import { inspect } from '../../../src/domain/privacy/gate.ts';
import { digitalImmunityPolicy, restorePolicy } from '../../../src/domain/privacy/policies.ts';
import { TOKEN_FORMATS, TOKEN_SHAPES } from '../../../src/domain/privacy/provider-tokens.ts';
import { ADVERSARIAL } from './adversarial.ts';

/** What a call of a built-in costs, in characters that it goes over. */
type Cost = (self: unknown, values: readonly unknown[], result: unknown) => number;

const one: Cost = () => 1;
const ownLength: Cost = (self) => String(self).length;
const resultLength: Cost = (_self, _values, result) => String(result).length;
/** A search reads up to what it finds. */
const searched: Cost = (self, [, from], found) =>
  (Number(found) < 0 ? String(self).length : Number(found)) - Number(from ?? 0) + 1;
/** A sticky pattern is tried once; another one at every character. */
const tried: Cost = (self, [text]) => (self instanceof RegExp && self.sticky ? 64 : String(text).length);

const COSTS: readonly (readonly [object, string, Cost])[] = [
  ...['charCodeAt', 'charAt', 'startsWith'].map((name) => [String.prototype, name, one] as const),
  ...['includes', 'normalize', 'replace', 'match', 'split', 'toLowerCase', 'toUpperCase'].map(
    (name) => [String.prototype, name, ownLength] as const,
  ),
  [String.prototype, 'slice', resultLength],
  [String.prototype, 'indexOf', searched],
  [RegExp.prototype, 'test', tried],
];

/** Counts the steps of an inspection without a clock: the built-ins are wrapped while it runs. */
function stepsOf(body: unknown): number {
  let steps = 0;
  const originals = COSTS.map(([target, name]) => Object.getOwnPropertyDescriptor(target, name) ?? {});
  for (const [index, [target, name, cost]] of COSTS.entries()) {
    const original: PropertyDescriptor = originals[index] ?? {};
    const call: (...values: unknown[]) => unknown = original.value;
    const value = function (this: unknown, ...values: unknown[]): unknown {
      const result = call.apply(this, values);
      steps += cost(this, values, result);
      return result;
    };
    Object.defineProperty(target, name, { ...original, value });
  }
  try {
    inspect(body, digitalImmunityPolicy);
    inspect(body, restorePolicy);
  } finally {
    for (const [index, [target, name]] of COSTS.entries()) {
      Object.defineProperty(target, name, originals[index] ?? {});
    }
  }
  return steps;
}

const STEPS_PER_BYTE_MAX = 150;

describe('twice the body costs twice the steps', () => {
  test.each(ADVERSARIAL)('%s', (_name, bodyOf) => {
    const half = stepsOf(bodyOf(16_384));
    const whole = stepsOf(bodyOf(32_768));
    expect(whole).toBeLessThan(half * 2.2 + 1000);
    expect(whole).toBeLessThan(32_768 * STEPS_PER_BYTE_MAX);
  });
});

describe('the patterns of provider tokens are bounded', () => {
  const sources = [
    ...TOKEN_FORMATS.map(({ id, rest }) => [id, rest] as const),
    ...TOKEN_SHAPES.map(({ id, pattern }) => [id, pattern.source] as const),
  ];

  test.each(sources)('%s has no unbounded and no nested quantifier', (_id, source) => {
    const outsideClasses = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'c');
    expect(outsideClasses).not.toMatch(/[*+]|\{\d+,\}/);
    expect(outsideClasses).not.toMatch(/\)[{?]/);
  });
});
