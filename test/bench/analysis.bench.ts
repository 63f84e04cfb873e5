/**
 * The cost of an analysis: `bun test/bench/analysis.bench.ts`. Ordinary contents are this repository's cases,
 * repeated up to 64 KiB; adversarial ones are those of the tests. The fastest round is the cost, the median
 * includes other work on this machine; in milliseconds.
 */
import { analyze, INPUT_TYPES, type InputType } from '../../src/analysis/analysis.ts';
import { ADVERSARIAL } from '../analysis/adversarial.ts';
import { OWN_CASES } from '../evaluation/cases/index.ts';

const ROUNDS = 21;
const KIB_64 = 64 * 1024;

function measure(inputType: InputType, content: string): { quickestMs: number; medianMs: number } {
  for (let warm = 0; warm < 5; warm++) analyze({ inputType, content });
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    analyze({ inputType, content });
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return { quickestMs: rounds[0] ?? 0, medianMs: rounds[ROUNDS >> 1] ?? 0 };
}

const rounded = (value: number) => Number(value.toFixed(1));

console.table(
  OWN_CASES.map(({ category, label, cases }) => {
    const content = cases
      .map((each) => each.content)
      .join('\n\n')
      .repeat(200)
      .slice(0, KIB_64);
    const { quickestMs, medianMs } = measure(category, content);
    return {
      'input type': category,
      content: `${label} cases, 64 KiB`,
      'quickest ms': rounded(quickestMs),
      'median ms': rounded(medianMs),
    };
  }),
);

const adversarial = INPUT_TYPES.flatMap((inputType) =>
  Object.entries(ADVERSARIAL).map(([name, content]) => ({ inputType, name, ...measure(inputType, content) })),
).sort((a, b) => b.quickestMs - a.quickestMs);
console.table(
  adversarial.slice(0, 12).map(({ inputType, name, quickestMs, medianMs }) => ({
    'input type': inputType,
    content: `64 KiB of ${name}`,
    'quickest ms': rounded(quickestMs),
    'median ms': rounded(medianMs),
  })),
);
