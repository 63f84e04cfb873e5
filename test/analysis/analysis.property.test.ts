import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Analysis, analyze, INPUT_TYPES } from '../../src/analysis/analysis.ts';
import { CATEGORIES } from '../../src/analysis/categories.ts';
import { MALICIOUS_MIN, SUSPICIOUS_MIN } from '../../src/analysis/verdict.ts';
import { OWN_CASES } from '../evaluation/cases/index.ts';

const contents = OWN_CASES.flatMap(({ cases }) => cases.map(({ content }) => content));
const inputType = fc.constantFrom(...INPUT_TYPES);
/** Pieces of real contents in any order: what parsers get from attackers. */
const mixed = fc
  .array(
    fc.oneof(
      fc
        .constantFrom(...contents)
        .chain((content) =>
          fc.tuple(fc.nat(content.length), fc.nat(200)).map(([at, length]) => content.slice(at, at + length)),
        ),
      fc.constantFrom(
        '<?php ',
        "'",
        '"',
        '`',
        '(',
        ')',
        '{',
        '}',
        '${',
        '/*',
        '<<<A\n',
        '\\',
        '\0',
        '%00',
        '%u0027',
        '\ud800',
        '😀',
      ),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

const isSound = ({ verdict, score, confidence, categories, reasons, recommendations }: Analysis) => {
  expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
  expect(confidence >= 0.5 && confidence <= 1).toBe(true);
  expect(verdict).toBe(
    score >= MALICIOUS_MIN ? 'malicious' : score >= SUSPICIOUS_MIN ? 'suspicious' : 'clean',
  );
  for (const category of categories) expect(CATEGORIES).toHaveProperty(category);
  expect(reasons.length).toBeLessThanOrEqual(20);
  expect(verdict !== 'clean' && reasons.length === 0).toBe(false);
  expect(verdict === 'clean').toBe(recommendations.length === 0);
};

describe('for any content', () => {
  test('the analysis ends with a valid answer', () => {
    fc.assert(
      fc.property(inputType, mixed, (type, content) => isSound(analyze({ inputType: type, content }))),
      { numRuns: 500 },
    );
  });

  test('the same content gets the same answer', () => {
    fc.assert(
      fc.property(inputType, mixed, (type, content) => {
        const request = { inputType: type, content };
        expect(analyze(request)).toEqual(analyze(request));
      }),
      { numRuns: 100 },
    );
  });

  test('the answer repeats nothing of it', () => {
    const sentinel = 'Zq7Sentinel';
    fc.assert(
      fc.property(inputType, fc.constantFrom(...contents), fc.nat(400), (type, content, at) => {
        const planted = content.slice(0, at) + sentinel + content.slice(at);
        const answer = JSON.stringify(
          analyze({ inputType: type, content: planted, siteUrl: `https://${sentinel}.example` }),
        );
        expect(answer.toLowerCase()).not.toContain(sentinel.toLowerCase());
      }),
      { numRuns: 300 },
    );
  });
});

test('ordinary code around a finding does not lower its score', () => {
  const plugin =
    OWN_CASES.find(({ category, label }) => category === 'code' && label === 'clean')?.cases[0]?.content ??
    '';
  const { verdict } = analyze({ inputType: 'code', content: `${plugin}\n eval($_POST['c']);` });
  expect(verdict).toBe('malicious');
});
