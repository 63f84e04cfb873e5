import type { VulnerabilityRecord } from '../../domain/vulnerability/record.ts';
import type { FeedTally } from '../feed-tally.ts';

type Unnamed = Omit<VulnerabilityRecord, 'source'>;

/** So many records tell whose feed it is. */
const RECORDS_ASKED = 500;

/**
 * Names the source of OSV's records: `osv:` and the ecosystem that most of the first ones are about, of equally many the first
 * by alphabet. An archive of one ecosystem holds some records that are about others too. They wait until the name is known.
 */
export class SourceGuess {
  #source: string | undefined;
  readonly #tally: FeedTally;
  #waiting: (Unnamed | string)[] = [];

  constructor(source: string | undefined, tally: FeedTally) {
    this.#source = source;
    this.#tally = tally;
  }

  read(record: Unnamed): void {
    this.#add(record);
  }

  withdraw(id: string): void {
    this.#add(id);
  }

  /** The name, once no record follows. */
  finish(): string {
    return this.#source ?? this.#decide();
  }

  #add(item: Unnamed | string): void {
    this.#waiting.push(item);
    if (this.#source !== undefined) this.#handOver(this.#source);
    else if (this.#waiting.length === RECORDS_ASKED) this.#decide();
  }

  #decide(): string {
    const votes = new Map<string, number>();
    for (const item of this.#waiting) {
      if (typeof item === 'string') continue;
      for (const name of new Set(item.affected.map(({ ecosystem }) => ecosystem.split(/[:-]/, 1)[0] ?? '')))
        votes.set(name, (votes.get(name) ?? 0) + 1);
    }
    const most = [...votes].sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))[0]?.[0];
    const source = most === undefined ? 'osv' : `osv:${most}`;
    this.#source = source;
    this.#handOver(source);
    return source;
  }

  #handOver(source: string): void {
    for (const item of this.#waiting) {
      if (typeof item === 'string') this.#tally.withdraw(source, item);
      else this.#tally.read(item.modifiedAt, [{ kind: 'vulnerability', record: { source, ...item } }]);
    }
    this.#waiting = [];
  }
}
