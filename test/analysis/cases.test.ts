import { describe, expect, test } from 'bun:test';
import { analyze } from '../../src/analysis/analysis.ts';
import { OWN_CASES } from '../evaluation/cases/index.ts';

for (const { category, label, cases } of OWN_CASES) {
  describe(`${category} that is ${label}`, () => {
    test.each(cases.map((each) => [each.path, each] as const))('%s', (_, each) => {
      const { verdict, reasons } = analyze(each);
      expect([verdict !== 'clean', reasons]).toEqual([label === 'malicious', reasons]);
    });
  });
}
