import { HOUR_MS } from './clock.ts';

/** Hours after which rows no longer change. */
const SETTLED_HOURS = 2;

/** Caches hourly rows and reads only those of the last hours again. */
export class HourlyRows<Row extends { readonly hour: number }> {
  readonly #read: (since: number) => Promise<Row[]>;
  #settled: Row[] = [];
  /** The start of the rows that are read again; undefined = nothing was read yet. */
  #from: number | undefined;

  /** @param read returns rows from a moment on, oldest first */
  constructor(read: (since: number) => Promise<Row[]>) {
    this.#read = read;
  }

  /** Returns rows from a moment on, oldest first. */
  async since(since: number, now: number): Promise<readonly Row[]> {
    const from = Math.max(this.#from ?? since, since);
    const kept = this.#settled.filter(({ hour }) => hour >= since && hour < from);
    const rows = [...kept, ...(await this.#read(from))];
    this.#from = now - (now % HOUR_MS) - SETTLED_HOURS * HOUR_MS;
    this.#settled = rows;
    return rows;
  }
}
