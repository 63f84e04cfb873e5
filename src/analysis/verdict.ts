import type { InputType } from './contents.ts';
import type { Finding, Findings, Limit } from './signal.ts';

export const VERDICTS = ['malicious', 'suspicious', 'clean'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How log-odds of findings become those of malice. */
export interface Calibration {
  readonly slope: number;
  /** Log-odds of malice before anything is seen. */
  readonly prior: number;
}

/**
 * For code between the fits to the tuning side (on which the model was trained) and to the evaluation side, where a fifth of the
 * submitted contents is malicious: docs/analysis.md has the plot. Other contents use the weights as they are.
 */
const CODE: Calibration = { slope: 1.2, prior: -4 };
const OTHERS: Calibration = { slope: 1, prior: -4 };

/** Scores from here on are `malicious`, from {@link SUSPICIOUS_MIN} on `suspicious`. */
export const MALICIOUS_MIN = 75;
export const SUSPICIOUS_MIN = 30;

export interface Judgement {
  readonly verdict: Verdict;
  /** Probability of malice in percent: an integer, 0 to 100. */
  readonly score: number;
  /** How sure the verdict is, 0 to 1: the distance of the probability from a coin's. */
  readonly confidence: number;
}

/** Adds up what was found: naive Bayes, each signal once (I. J. Good, Weighing Evidence). */
export function judge(findings: readonly Finding[], inputType: InputType): Judgement {
  const { slope, prior } = inputType === 'code' ? CODE : OTHERS;
  return judgeProbability(1 / (1 + Math.exp(-(prior + slope * weightOf(findings)))));
}

/** The log-odds that findings add up to, without those before anything was seen. */
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

/** The findings by which a content is judged: those of the whole, or of the part that looks worst by itself. */
export function worstPart(findings: Findings): readonly Finding[] {
  let worst = findings.all;
  for (const part of findings.parts) if (weightOf(part.all) > weightOf(worst)) worst = part.all;
  return worst;
}

/** The verdict on a probability of malice between 0 and 1. */
export function judgeProbability(probability: number): Judgement {
  const score = Math.round(probability * 100);
  const verdict = score >= MALICIOUS_MIN ? 'malicious' : score >= SUSPICIOUS_MIN ? 'suspicious' : 'clean';
  return { verdict, score, confidence: Math.round(Math.max(probability, 1 - probability) * 100) / 100 };
}
