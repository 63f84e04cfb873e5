/** An answer to a client of TAXII. */
export interface TaxiiAnswer {
  readonly headers: Pick<Headers, 'get'>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any resource
  readonly json: any;
}

/** How clients ask for the next page: with `next` alone, with `next` and the moment of the last object, or with that moment alone. */
export const HABITS = ['next', 'next and added_after', 'added_after'] as const;
export type Habit = (typeof HABITS)[number];

/** A client that follows a collection: it asks for what was added since its last visit, page by page. */
export class TaxiiReader {
  readonly #ask: (query: string) => Promise<TaxiiAnswer>;
  readonly #habit: Habit;
  readonly #limit: number;
  #addedAfter: string | undefined;
  /** The id and version of each object, in the order in which they came. */
  readonly seen: string[] = [];

  constructor(ask: (query: string) => Promise<TaxiiAnswer>, habit: Habit, limit: number) {
    this.#ask = ask;
    this.#habit = habit;
    this.#limit = limit;
  }

  /**
   * Reads all pages.
   *
   * @param between what happens after each page
   */
  async read(between: () => Promise<unknown> = async () => {}): Promise<void> {
    let next: string | undefined;
    for (;;) {
      const query = new URLSearchParams({ limit: String(this.#limit) });
      if (next !== undefined && this.#habit !== 'added_after') query.set('next', next);
      const isFollowing = next !== undefined && this.#habit === 'next';
      if (this.#addedAfter !== undefined && !isFollowing) query.set('added_after', this.#addedAfter);
      const { headers, json } = await this.#ask(`?${query}`);
      this.seen.push(...(json.objects ?? []).map((each: StixVersion) => `${each.id} ${each.modified}`));
      this.#addedAfter = headers.get('x-taxii-date-added-last') ?? this.#addedAfter;
      await between();
      if (json.more !== true) return;
      next = json.next;
    }
  }
}

interface StixVersion {
  readonly id: string;
  readonly modified: string;
}
