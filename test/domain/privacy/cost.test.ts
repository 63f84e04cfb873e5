import { describe, expect, test } from 'bun:test';
import { inspect } from '../../../src/domain/privacy/gate.ts';
import { digitalImmunityPolicy, restorePolicy } from '../../../src/domain/privacy/policies.ts';
import { TOKEN_FORMATS, TOKEN_SHAPES } from '../../../src/domain/privacy/provider-tokens.ts';
import { ADVERSARIAL } from './adversarial.ts';
import { stepsOf } from './steps.ts';

const STEPS_PER_BYTE_MAX = 150;

function inspectTwice(body: unknown): void {
  inspect(body, digitalImmunityPolicy);
  inspect(body, restorePolicy);
}

describe('a body of twice the size takes twice the steps', () => {
  test.each(ADVERSARIAL)('%s', (_name, bodyOf) => {
    const half = stepsOf(() => inspectTwice(bodyOf(16_384)));
    const whole = stepsOf(() => inspectTwice(bodyOf(32_768)));
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
