import { expect, test } from 'bun:test';
import { analyze, INPUT_TYPES, type InputType } from '../../src/analysis/analysis.ts';
import { processorMs } from '../support/processor-ms.ts';
import { ADVERSARIAL } from './adversarial.ts';

/** Far above the usual processor time; far below the time of a quadratic step on 64 KiB. */
const PATIENCE_MS = 400;

function quickestMs(inputType: InputType, content: string): number {
  let quickest = Number.POSITIVE_INFINITY;
  for (let again = 0; again < 3 && quickest > PATIENCE_MS / 4; again++) {
    const start = processorMs();
    analyze({ inputType, content });
    quickest = Math.min(quickest, processorMs() - start);
  }
  return quickest;
}

test.each(Object.entries(ADVERSARIAL))('64 KiB of %s are analyzed in time by any engine', (_, content) => {
  for (const inputType of INPUT_TYPES)
    expect([inputType, quickestMs(inputType, content) < PATIENCE_MS]).toEqual([inputType, true]);
});
