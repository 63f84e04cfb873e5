import type { Category } from '../categories.ts';
import { type Signal, SUSPICIOUS_AT_MOST, signal } from '../signal.ts';

/** The weights that the model can have, in steps: so they stand in a table like those of all other signals. */
const STEP = 0.5;
/** At most so many steps: alone they make a content suspicious, and never malicious. */
const STEPS_MAX = 8;

const stepsOf = (category: Category, what: string): readonly Signal[] =>
  Array.from({ length: STEPS_MAX }, (_, index) =>
    signal(category, (index + 1) * STEP, what, SUSPICIOUS_AT_MOST),
  );

const WHAT = 'statistical model: code resembles known malware';

/** Signals of the model for PHP and for all else, the weakest first. */
export const MODEL = {
  php: stepsOf('web_shell', WHAT),
  other: stepsOf('malicious_script', WHAT),
} as const;

/** The signal for so much log-odds; undefined for too little. */
export const signalFor = (steps: readonly Signal[], logOdds: number): Signal | undefined =>
  steps[Math.min(STEPS_MAX, Math.floor(logOdds / STEP)) - 1];
