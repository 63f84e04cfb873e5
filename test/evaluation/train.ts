/**
 * Trains the statistical model that stands beside the rules for code: `bun test/evaluation/train.ts --mirror DIR` reads the tuning
 * side of corpus.ts and writes src/analysis/model/weights.b64, the same bytes each time. It reads no rule's output.
 * Method: tokens of any language (words, signs, lengths of strings; no comments); words that few repositories use are known by their
 * shape alone. Windows of two blocks of 200 tokens; of each block all tokens, pairs and triples, hashed into 2^16 buckets; logistic
 * regression on the buckets present, over the root of how many they are. A malicious file is a bag of windows of which after the first
 * round only the worst one teaches (what clean files have too does not look malicious by then); of a clean file the worst one, and
 * another by chance. Each malicious file stands a second time between ordinary code; near copies count less the more they are.
 * Then a third of the clean repositories is left out at a time, and the scores of what was left out tell where the model begins to
 * speak (1 % of clean files) and where it speaks loud enough for `suspicious` by itself (0.03 %).
 * `--leave-out OWNER/NAME` (repeatable) trains without a malicious source, writes nothing and prints what is found of it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeWeights } from '../../src/analysis/model/weights.ts';
import { calibrate, recallOf, trainOn } from './model/fit.ts';
import { readSamples } from './model/samples.ts';

const { values: options } = parseArgs({
  options: { mirror: { type: 'string' }, 'leave-out': { type: 'string', multiple: true, default: [] } },
});
if (options.mirror === undefined) {
  console.error('bun test/evaluation/train.ts --mirror DIR [--leave-out OWNER/NAME]...');
  process.exit(1);
}
const TARGET = join(import.meta.dir, '../../src/analysis/model/weights.b64');
const left = options['leave-out'];

const samples = readSamples(options.mirror);
const kept = samples.filter(({ label, repository }) => label === 'clean' || !left.includes(repository));
const calibration = calibrate(kept);
if (left.length === 0) {
  writeFileSync(TARGET, writeWeights({ ...trainOn(kept), ...calibration.numbers }));
  console.log(`${TARGET}: ${kept.length} contents`, calibration.numbers);
} else {
  const malicious = samples.filter((sample) => !kept.includes(sample));
  console.table(recallOf(malicious, kept, calibration));
}
