import { HOUR_MS } from './clock.ts';

const HOURS = 24;

/** What happened in one hour. */
export interface HourCounts<Label extends string> {
  /** When it began, in milliseconds since the Unix epoch. */
  readonly startsAt: number;
  readonly counts: Readonly<Partial<Record<Label, number>>>;
}

/** Counts what happens by the hour, for a day, in memory alone. */
export class HourlyCounts<Label extends string> {
  readonly #now: () => number;
  readonly #hours = new Map<number, Partial<Record<Label, number>>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  note(label: Label): void {
    const hour = this.#hour();
    let counts = this.#hours.get(hour);
    if (counts === undefined) {
      counts = {};
      this.#hours.set(hour, counts);
      for (const kept of this.#hours.keys())
        if (kept <= hour - HOURS || kept > hour) this.#hours.delete(kept);
    }
    counts[label] = (counts[label] ?? 0) + 1;
  }

  /** The last 24 hours, this one last, also those in which nothing happened. */
  lastDay(): HourCounts<Label>[] {
    const hour = this.#hour();
    return Array.from({ length: HOURS }, (_, index) => hour - HOURS + 1 + index).map((each) => ({
      startsAt: each * HOUR_MS,
      counts: this.#hours.get(each) ?? ({} as Partial<Record<Label, number>>),
    }));
  }

  #hour(): number {
    return Math.floor(this.#now() / HOUR_MS);
  }
}
