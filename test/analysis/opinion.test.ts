import { expect, test } from 'bun:test';
import { type Opinion, weigh } from '../../src/analysis/opinion.ts';
import { judgeProbability, VERDICTS } from '../../src/analysis/verdict.ts';

const SCORES = Array.from({ length: 101 }, (_, score) => score);

const after = (score: number, opinion: Opinion) => {
  const parts = { categories: [], reasons: [], recommendations: [] };
  return weigh({ ...judgeProbability(score / 100), ...parts }, opinion, 'code');
};
const before = (score: number) => judgeProbability(score / 100).verdict;

test.each([...VERDICTS])('the surest second opinion of %s moves no verdict by two', (verdict) => {
  for (const score of SCORES) {
    const moved =
      VERDICTS.indexOf(after(score, { verdict, confidence: 1 }).verdict) - VERDICTS.indexOf(before(score));
    expect([score, Math.abs(moved) < 2]).toEqual([score, true]);
  }
});

test('a second opinion settles what is in doubt', () => {
  expect(after(50, { verdict: 'malicious', confidence: 1 }).verdict).toBe('malicious');
  expect(after(50, { verdict: 'clean', confidence: 1 }).verdict).toBe('clean');
});

test('what is recommended goes with the verdict that the second opinion leads to', () => {
  for (const score of SCORES)
    for (const opinion of VERDICTS) {
      const { verdict, recommendations } = after(score, { verdict: opinion, confidence: 1 });
      expect(recommendations.length === 0).toBe(verdict === 'clean');
    }
});
