import type { InputType } from './contents.ts';
import type { Finding, Findings, Limit } from './signal.ts';

export const VERDICTS = ['malicious', 'suspicious', 'clean'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Converts log-odds of findings to log-odds of malice. */
export interface Calibration {
  readonly slope: number;
  /** Log-odds of malice without any findings. */
  readonly prior: number;
}

/**
 * The values for code lie between the fits to the tuning side (on which the model was trained) and to the evaluation side, for a
 * fifth of malicious contents: docs/analysis.md has the plot. Other contents use the weights unchanged.
 */
const CODE: Calibration = { slope: 1.2, prior: -4 };
const OTHERS: Calibration = { slope: 1, prior: -4 };

/** Minimum scores of the verdicts `malicious` and `suspicious`. */
export const MALICIOUS_MIN = 75;
export const SUSPICIOUS_MIN = 30;

export interface Judgement {
  readonly verdict: Verdict;
  /** Probability of malice in percent: an integer, 0 to 100. */
  readonly score: number;
  /** Confidence in the verdict, 0.5 to 1: the probability of malice or its complement, the larger of both. */
  readonly confidence: number;
}

/** Adds up findings: naive Bayes, each signal once (I. J. Good, Weighing Evidence). */
export function judge(findings: readonly Finding[], inputType: InputType): Judgement {
  const { slope, prior } = inputType === 'code' ? CODE : OTHERS;
  return judgeProbability(1 / (1 + Math.exp(-(prior + slope * weightOf(findings)))));
}

/** Sum of the findings' log-odds with their limits, without the prior. */
export function weightOf(findings: readonly Finding[]): number {
  let sum = 0;
  const limited = new Map<Limit, number>();
  for (const { signal } of findings) {
    const { limit, weight } = signal;
    if (limit === undefined) sum += weight;
    else limited.set(limit, (limited.get(limit) ?? 0) + weight);
  }
  for (const [{ weightMax }, weight] of limited) sum += Math.min(weight, weightMax);
  return sum;
}

/** The findings that determine the verdict: those of the whole, or of the worst part. */
export function worstPart(findings: Findings): readonly Finding[] {
  let worst = findings.all;
  for (const part of findings.parts) if (weightOf(part.all) > weightOf(worst)) worst = part.all;
  return worst;
}

export function judgeProbability(probability: number): Judgement {
  const score = Math.round(probability * 100);
  const verdict = score >= MALICIOUS_MIN ? 'malicious' : score >= SUSPICIOUS_MIN ? 'suspicious' : 'clean';
  return { verdict, score, confidence: Math.round(Math.max(probability, 1 - probability) * 100) / 100 };
}
