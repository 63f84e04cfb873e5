import type { Category } from '../categories.ts';
import { type Signal, SUSPICIOUS_AT_MOST, signal } from '../signal.ts';

/** The model's weights are rounded to steps, so that its signals form a table like all others. */
const STEP = 0.5;
/** Limit that makes a content at most suspicious. */
const STEPS_MAX = 8;

const stepsOf = (category: Category, what: string): readonly Signal[] =>
  Array.from({ length: STEPS_MAX }, (_, index) =>
    signal(category, (index + 1) * STEP, what, SUSPICIOUS_AT_MOST),
  );

const WHAT = 'statistical model: code resembles known malware';

/** Signals of the model for PHP and for other code, the weakest first. */
export const MODEL = {
  php: stepsOf('web_shell', WHAT),
  other: stepsOf('malicious_script', WHAT),
} as const;

/** The signal for a number of log-odds; undefined if it is too low. */
export const signalFor = (steps: readonly Signal[], logOdds: number): Signal | undefined =>
  steps[Math.min(STEPS_MAX, Math.floor(logOdds / STEP)) - 1];
