import { VULNERABILITY_ID } from '../domain/vulnerability/cve.ts';
import { DAY_MS } from '../lib/clock.ts';
import { printable } from '../lib/printable.ts';
import type { FeedFact, RefusedRecord } from './facts.ts';
import { FeedRefused } from './feed-refused.ts';
import { RecordRefused } from './formats/fields.ts';
import type { FeedLimits } from './limits.ts';

const REFUSALS_MAX = 20;
const ID_SHOWN_MAX = 64;

/** Counts a feed's records by their outcome, and collects their facts. */
export class FeedTally {
  records = 0;
  withdrawn = 0;
  skipped = 0;
  refused = 0;
  readonly refusals: RefusedRecord[] = [];
  newestAt: number | null = null;
  #facts: FeedFact[] = [];
  #seen = 0;
  readonly #nowMs: number;
  readonly #limits: Pick<FeedLimits, 'members'>;

  constructor(limits: Pick<FeedLimits, 'members'>, nowMs: number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /** Number of records so far, with any outcome. */
  get seen(): number {
    return this.#seen;
  }

  /** Facts not taken yet. */
  get waiting(): number {
    return this.#facts.length;
  }

  /**
   * Counts a record before it is read and returns its number, from 1.
   *
   * @throws FeedRefused beyond the limit
   */
  see(): number {
    this.#seen += 1;
    if (this.#seen > this.#limits.members)
      throw new FeedRefused(
        'too_large',
        `The feed has more than ${this.#limits.members} records. Import its parts one by one.`,
      );
    return this.#seen;
  }

  /**
   * Refuses a record dated more than a day in the future: it would hide all later updates.
   *
   * @throws RecordRefused
   */
  assertNotAhead(at: number | null): void {
    if (this.#isAhead(at))
      throw new RecordRefused('is dated in the future, according to the clock of this host');
  }

  /** Like `assertNotAhead`, for the whole feed. Throws {@link FeedRefused}. */
  assertFeedNotAhead(at: number | null): void {
    if (this.#isAhead(at))
      throw new FeedRefused(
        'malformed',
        'The feed is dated in the future, so later ones would be taken for older. Check the clock of this host, or download the feed again.',
      );
  }

  /**
   * Adds a usable record.
   *
   * @param at its newest date
   */
  read(at: number | null, facts: readonly FeedFact[]): void {
    this.records += 1;
    for (const fact of facts) this.#facts.push(fact);
    if (at !== null) this.newestAt = Math.max(this.newestAt ?? at, at);
  }

  withdraw(source: string, id: string, modifiedAt: number | null): void {
    this.withdrawn += 1;
    this.#facts.push({ kind: 'withdrawn', source, id, modifiedAt });
  }

  refuse(id: string, reason: string): void {
    this.refused += 1;
    if (VULNERABILITY_ID.test(id)) this.#facts.push({ kind: 'refused', id });
    if (this.refusals.length < REFUSALS_MAX)
      this.refusals.push({ id: printable(id.slice(0, ID_SHOWN_MAX)).slice(0, ID_SHOWN_MAX), reason });
  }

  #isAhead(at: number | null): boolean {
    return at !== null && at > this.#nowMs + DAY_MS;
  }

  take(): readonly FeedFact[] {
    const facts = this.#facts;
    this.#facts = [];
    return facts;
  }
}
