import type { Ecosystem } from '../../domain/vulnerability/ecosystem.ts';

/** Does what has waited for the name of the source. */
type Use = (source: string) => void;

/** So many records tell whose feed it is. */
const RECORDS_ASKED = 500;

/**
 * Names the source of OSV's records: `osv:` and the ecosystem that most of the first ones are about, of equally many the first
 * by alphabet. An archive of one ecosystem holds some records that are about others too. They wait until the name is known.
 */
export class SourceGuess {
  #source: string | undefined;
  readonly #votes = new Map<string, number>();
  #waiting: Use[] = [];

  constructor(source: string | undefined) {
    this.#source = source;
  }

  /** Takes a record that is about these ecosystems, to be used now or when the name is known. */
  add(ecosystems: readonly Ecosystem[], use: Use): void {
    if (this.#source !== undefined) {
      use(this.#source);
      return;
    }
    for (const name of new Set(ecosystems.map((ecosystem) => ecosystem.split(/[:-]/, 1)[0] ?? '')))
      this.#votes.set(name, (this.#votes.get(name) ?? 0) + 1);
    this.#waiting.push(use);
    if (this.#waiting.length === RECORDS_ASKED) this.#decide();
  }

  /** The name, once no record follows. */
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
