import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { inspect, type PrivacyPolicy, type PrivacyViolation } from '../../../src/domain/privacy/gate.ts';
import {
  DISGUISES,
  type Disguise,
  fullWidth,
  percentEncoded,
  plain,
  randomCase,
  zeroWidth,
} from './disguise.ts';
import { FORBIDDEN_TEXTS } from './forbidden.ts';
import { VALID_BODIES } from './valid-bodies.ts';

const VALID_RUNS = 10_000;
const PLANTED_RUNS = 1_000;

type Body = Record<string, unknown>;

/** A copy of a body with a field at a random place: at the top, or inside new objects and arrays. */
const planted = (body: object, key: string, value: unknown): fc.Arbitrary<Body> =>
  fc.array(fc.constantFrom('object', 'array'), { maxLength: 5 }).chain((levels) =>
    fc.boolean().map((first) => {
      const item = levels.reduce<unknown>(
        (inner, level) => (level === 'array' ? [0, inner] : { nested: inner }),
        { [key]: value },
      );
      const own = levels.length === 0 ? { [key]: value } : { part: item };
      return first ? { ...own, ...body } : { ...body, ...own };
    }),
  );

/** A secret rarely appears alone. */
const SURROUNDINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `status ${text} ok`,
  (text) => `a=${text}&b=1`,
  (text) => `1, "${text}", 2`,
  (text) => `7 [${text}]\n`,
];

const forbiddenText = fc.constantFrom(...FORBIDDEN_TEXTS).chain(({ rule, text, anyCase }) =>
  text.chain((original) =>
    fc
      .constantFrom(...DISGUISES, ...(anyCase ? [randomCase] : []))
      .chain((disguise) => disguise(original))
      .chain((text) => fc.constantFrom(...SURROUNDINGS).map((surround) => surround(text)))
      .map((disguised) => ({ rule, original, disguised })),
  ),
);

const styles: readonly ((words: readonly string[]) => string)[] = [
  (words) =>
    words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join(''),
  (words) => words.join('_'),
  (words) => words.join('-').toUpperCase(),
  (words) => words.join(''),
  (words) => words.join(' '),
];

const forbiddenKey = ({ terms }: PrivacyPolicy): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...terms.keys()),
      fc.constantFrom('', 'user ', 'admin ', 'customer '),
      fc.constantFrom('', ' list', ' hash', ' value'),
      fc.constantFrom(...styles),
      fc.constantFrom<Disguise>(plain, zeroWidth, fullWidth, percentEncoded, randomCase),
    )
    .chain(([term, before, after, style, disguise]) =>
      disguise(style(`${disguise === randomCase ? '' : before}${term}${after}`.trim().split(' '))),
    );

function expectRefused(violation: PrivacyViolation | undefined, ...secrets: readonly string[]): void {
  if (violation === undefined) throw new Error(`passed: ${JSON.stringify(secrets)}`);
  for (const secret of secrets) {
    expect(violation.path).not.toContain(secret);
    expect(violation.rule).not.toContain(secret);
  }
}

describe.each(VALID_BODIES)('$name', (policy, body) => {
  test('no valid body is refused', () => {
    fc.assert(
      fc.property(body, (valid) => {
        const violation = inspect(valid, policy);
        if (violation !== undefined) throw new Error(`${violation.path}: ${violation.rule}`);
      }),
      { numRuns: VALID_RUNS },
    );
  });

  test('no body with a forbidden text in a value is accepted, and the refusal does not repeat it', () => {
    const cases = fc
      .tuple(body, forbiddenText)
      .chain(([valid, text]) => planted(valid, 'extra', text.disguised).map((full) => ({ full, text })));
    fc.assert(
      fc.property(cases, ({ full, text }) =>
        expectRefused(inspect(full, policy), text.original, text.disguised),
      ),
      { numRuns: PLANTED_RUNS },
    );
  });

  test('no body with a forbidden text in a key is accepted, and the refusal does not repeat it', () => {
    const cases = fc
      .tuple(body, forbiddenText)
      .chain(([valid, text]) => planted(valid, text.disguised, 1).map((full) => ({ full, text })));
    fc.assert(
      fc.property(cases, ({ full, text }) =>
        expectRefused(inspect(full, policy), text.original, text.disguised),
      ),
      { numRuns: PLANTED_RUNS },
    );
  });

  test('no body with a forbidden key is accepted', () => {
    const cases = fc
      .tuple(body, forbiddenKey(policy), fc.constantFrom<unknown>('x', 1, true, {}, []))
      .chain(([valid, key, value]) => planted(valid, key, value).map((full) => ({ full, key })));
    fc.assert(
      fc.property(cases, ({ full, key }) => {
        if (inspect(full, policy) === undefined) throw new Error(`passed: ${key}`);
      }),
      { numRuns: PLANTED_RUNS },
    );
  });
});
