import type { Ecosystem } from '../../domain/vulnerability/ecosystem.ts';

/** A callback that is deferred until the source has a name. */
type Use = (source: string) => void;

/** Number of records that determine the ecosystem. */
const RECORDS_COUNTED = 500;

/**
 * Names the source of OSV records: `osv:` and the most frequent ecosystem of the first records, the alphabetically first in a
 * tie. Archives of one ecosystem also contain some records about others. Records are deferred until the name is known.
 */
export class SourceGuess {
  #source: string | undefined;
  readonly #votes = new Map<string, number>();
  #waiting: Use[] = [];

  constructor(source: string | undefined) {
    this.#source = source;
  }

  /** Adds a record about these ecosystems; calls `use` now, or when the name is known. */
  add(ecosystems: readonly Ecosystem[], use: Use): void {
    if (this.#source !== undefined) {
      use(this.#source);
      return;
    }
    for (const name of new Set(ecosystems.map((ecosystem) => ecosystem.split(/[:-]/, 1)[0] ?? '')))
      this.#votes.set(name, (this.#votes.get(name) ?? 0) + 1);
    this.#waiting.push(use);
    if (this.#waiting.length === RECORDS_COUNTED) this.#decide();
  }

  /** Returns the name after the last record. */
  finish(): string {
    return this.#source ?? this.#decide();
  }

  #decide(): string {
    const ranked = [...this.#votes].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1));
    const most = ranked[0]?.[0];
    const source = most === undefined ? 'osv' : `osv:${most}`;
    this.#source = source;
    for (const use of this.#waiting) use(source);
    this.#waiting = [];
    return source;
  }
}
