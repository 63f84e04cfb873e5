import { expect, test } from 'bun:test';
import type { Analysis, AnalysisRequest } from '../../src/analysis/analysis.ts';
import { WINDOW_CHARS } from '../../src/analysis/contents.ts';
import { judgeAllWith, type Opinion, weigh } from '../../src/analysis/opinion.ts';
import { judgeProbability, VERDICTS } from '../../src/analysis/verdict.ts';

const SCORES = Array.from({ length: 101 }, (_, score) => score);

const after = (score: number, opinion: Opinion) => {
  const parts = { categories: [], reasons: [], recommendations: [] };
  return weigh({ ...judgeProbability(score / 100), ...parts }, opinion, 'code');
};
const before = (score: number) => judgeProbability(score / 100).verdict;

test.each([...VERDICTS])('the most certain second opinion of %s moves no verdict by two', (verdict) => {
  for (const score of SCORES) {
    const moved =
      VERDICTS.indexOf(after(score, { verdict, confidence: 1 }).verdict) - VERDICTS.indexOf(before(score));
    expect([score, Math.abs(moved) < 2]).toEqual([score, true]);
  }
});

test('a second opinion decides an uncertain verdict', () => {
  expect(after(50, { verdict: 'malicious', confidence: 1 }).verdict).toBe('malicious');
  expect(after(50, { verdict: 'clean', confidence: 1 }).verdict).toBe('clean');
});

test('the recommendation matches the verdict after the second opinion', () => {
  for (const score of SCORES)
    for (const opinion of VERDICTS) {
      const { verdict, recommendations } = after(score, { verdict: opinion, confidence: 1 });
      expect(recommendations.length === 0).toBe(verdict === 'clean');
    }
});

test('the first two suspicious short contents of a batch get a second opinion, at the same time', async () => {
  const analysisOf = (score: number): Analysis => ({
    ...judgeProbability(score / 100),
    categories: [],
    reasons: [],
    recommendations: [],
  });
  const scores = [0, 50, 50, 99, 50, 50];
  const requests = scores.map(
    (_, index): AnalysisRequest => ({
      inputType: 'text',
      content: index === 1 ? 'x'.repeat(WINDOW_CHARS + 1) : `${index}`,
    }),
  );
  const asked: string[] = [];
  const answers: ((opinion: Opinion) => void)[] = [];
  const judge = judgeAllWith(
    async () => scores.map(analysisOf),
    ({ content }) => {
      asked.push(content);
      return new Promise((resolve) => answers.push(resolve));
    },
  );
  const judged = judge(requests, { licenseId: 1, gone: new AbortController().signal });
  await Bun.sleep(0);
  expect(asked).toEqual(['2', '4']);
  for (const answer of answers) answer({ verdict: 'malicious', confidence: 1 });
  expect(await judged).toMatchObject(
    ['builtin', 'builtin', 'builtin+ai', 'builtin', 'builtin+ai', 'builtin'].map((engine) => ({ engine })),
  );
});
