import type { Weights } from '../../../src/analysis/model/weights.ts';
import { worstWindow } from '../../../src/analysis/model/windows.ts';
import { bagsOf } from './bags.ts';
import { Learner } from './learner.ts';
import { randomNumbers } from './random.ts';
import { partOf, type Sample } from './samples.ts';
import { vocabularyOf } from './vocabulary.ts';

const SEED = 20261127;
const PARTS = 3;
/** The share of clean files on which the model may speak, and the one that it may make suspicious by itself. */
const SPEAKS = 0.01;
const SPEAKS_LOUD = 0.0003;
/** Log-odds that make a content suspicious by themselves. */
const LOUD = 3.5;
/** Greater weights are cut, so that one byte tells the others finely enough. */
const WEIGHT_MAX = 1.27;

type Fitted = Omit<Weights, 'zero' | 'slope'>;

/** Weights in bytes. */
export function trainOn(samples: readonly Sample[]): Fitted {
  const vocabulary = vocabularyOf(samples);
  const random = randomNumbers(SEED);
  const learner = new Learner();
  learner.train(bagsOf(samples, vocabulary, random), random);
  const unit = WEIGHT_MAX / 127;
  const weights = Int8Array.from(learner.weights, (weight) =>
    Math.max(-127, Math.min(127, Math.round(weight / unit))),
  );
  return { vocabulary, weights, unit, bias: learner.bias };
}

const scoreBy = ({ tokens }: Sample, fitted: Fitted): number =>
  worstWindow(tokens, { ...fitted, zero: 0, slope: 1 }, true)?.score ?? fitted.bias;

export interface Calibration {
  readonly numbers: Pick<Weights, 'zero' | 'slope'>;
  /** Scores of clean contents by models that did not know their repositories. */
  readonly clean: readonly number[];
}

/** Finds out how high clean code scores by models that do not know it. */
export function calibrate(samples: readonly Sample[]): Calibration {
  const isIn = ({ label, repository }: Sample, part: number) =>
    label === 'clean' && partOf(repository, PARTS) === part;
  const clean: number[] = [];
  for (let part = 0; part < PARTS; part++) {
    const fitted = trainOn(samples.filter((sample) => !isIn(sample, part)));
    for (const sample of samples) if (isIn(sample, part)) clean.push(scoreBy(sample, fitted));
  }
  clean.sort((a, b) => b - a);
  const zero = highest(clean, SPEAKS);
  return { numbers: { zero, slope: LOUD / (highest(clean, SPEAKS_LOUD) - zero) }, clean };
}

const highest = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0;

/** What share of malicious contents a model finds by itself that was trained without them, at some shares of mistakes. */
export function recallOf(
  malicious: readonly Sample[],
  others: readonly Sample[],
  { clean }: Calibration,
): readonly Record<string, string | number>[] {
  const fitted = trainOn(others);
  const scores = malicious.map((sample) => scoreBy(sample, fitted));
  return [0.01, 0.005, 0.001].map((share) => ({
    mistakes: share,
    contents: scores.length,
    found: scores.filter((score) => score > highest(clean, share)).length / scores.length,
  }));
}
