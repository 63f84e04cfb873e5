import { type Attack, attacksOn, textOf } from './attacks.ts';

// A separate process that can be killed in the middle of a pattern; prints one line for every completed
// pattern.

/** A pattern to test, with the limit of its callers. */
export interface Job {
  readonly source: string;
  readonly flags: string;
  readonly charsMax?: number;
}

/** The text that took too long. */
export interface Slow {
  readonly attack: Attack;
  readonly chars: number;
  readonly ms: number;
}

const EARLY = [16, 24, 32, 64, 256, 1024];
/** No linear pattern takes that long for a text of 1 KiB. */
const EARLY_MS = 5;
const SIFTED = 4096;
const SUSPECTS_MAX = 4;
const SUSPECT_MS = 0.2;
const BLATANT_MS = 4;
/**
 * A refused pattern takes that long and grows that much from a quarter of the text. Linear time grows by
 * four.
 */
const FLOOR_MS = 20;
const GROWTH = 6.5;
/** From there to twice the text linear time grows by two. */
const GROWTH_ON = 3.1;
const RUNS = 5;
const LONG_MS = 50;
/** A busy machine may distort one measurement, hardly the next one as well. */
const CONFIRMATIONS = 2;

/** Processor time, so that other processes do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function run(pattern: RegExp, text: string, clock: () => number): number {
  const start = clock();
  pattern.lastIndex = 0;
  if (pattern.global) text.replace(pattern, '');
  else pattern.test(text);
  return clock() - start;
}

/** The fastest of some runs; fewer when they are slow. */
function quickest(pattern: RegExp, text: string): number {
  const taken: number[] = [];
  for (let spent = 0; taken.length < RUNS && spent < LONG_MS; spent += taken.at(-1) ?? 0)
    taken.push(run(pattern, text, cpuMs));
  return Math.min(...taken);
}

/** The same for large differences only: hardly any run takes that long, and most clocks are slow. */
function quickestOver(ms: number, pattern: RegExp, text: string): number {
  const first = run(pattern, text, () => performance.now());
  return first > ms ? quickest(pattern, text) : first;
}

/** Whether short texts already take long: exponential, or more than quadratic. */
function slowEarly(pattern: RegExp, attack: Attack, charsMax: number | undefined): Slow | undefined {
  for (const chars of charsMax === undefined ? EARLY : [...EARLY, charsMax]) {
    const text = textOf(attack, chars);
    const ms = quickestOver(EARLY_MS, pattern, text.slice(-(charsMax ?? text.length)));
    if (ms > EARLY_MS) return { attack, chars, ms };
  }
  return undefined;
}

/**
 * Whether an attack grows much faster than its text, and continues to after the end of a bounded repetition.
 */
function slowLate(pattern: RegExp, attack: Attack): Slow | undefined {
  const msOf = (chars: number) => quickest(pattern, textOf(attack, chars));
  const takesLong = (size: number) => quickestOver(FLOOR_MS, pattern, textOf(attack, size)) > FLOOR_MS;
  const chars = [8192, 16_384, 32_768].find(takesLong);
  if (chars === undefined) return undefined;
  let ms = 0;
  for (let time = 0; time < CONFIRMATIONS; time++) {
    ms = msOf(chars);
    if (ms < FLOOR_MS || ms < msOf(chars / 4) * GROWTH || msOf(chars * 2) < ms * GROWTH_ON) return undefined;
  }
  return { attack, chars, ms };
}

/** The first attack that makes a pattern too slow, or none. */
export function slowestOf({ source, flags, charsMax }: Job): Slow | undefined {
  const pattern = new RegExp(source, flags);
  const suspects: { attack: Attack; ms: number }[] = [];
  let blatant = 0;
  for (const attack of attacksOn(source, flags)) {
    const early = slowEarly(pattern, attack, charsMax);
    if (early) return early;
    if (charsMax !== undefined) continue;
    const ms = quickestOver(SUSPECT_MS, pattern, textOf(attack, SIFTED));
    if (ms > BLATANT_MS && blatant++ < SUSPECTS_MAX) {
      const slow = slowLate(pattern, attack);
      if (slow) return slow;
    } else if (ms > SUSPECT_MS) suspects.push({ attack, ms });
  }
  suspects.sort((one, other) => other.ms - one.ms);
  for (const { attack } of suspects.slice(0, SUSPECTS_MAX)) {
    const slow = slowLate(pattern, attack);
    if (slow) return slow;
  }
  return undefined;
}

if (import.meta.main) {
  const jobs: Job[] = await Bun.stdin.json();
  for (const job of jobs) process.stdout.write(`${JSON.stringify(slowestOf(job) ?? null)}\n`);
}
