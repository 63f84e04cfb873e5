import { expect, test } from 'bun:test';
import { analyze } from '../../src/analysis/analysis.ts';
import { EVERYDAY_TYPES, everydayCases } from '../evaluation/everyday/index.ts';

for (const type of EVERYDAY_TYPES) {
  test.each([
    ['clean', 'passes'],
    ['malicious', 'does not pass'],
  ] as const)(`an everyday ${type} that is %s %s`, (label) => {
    const wrong = everydayCases(type, 'tuning', label)
      .filter((each) => (analyze(each).verdict === 'clean') !== (label === 'clean'))
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });
}
