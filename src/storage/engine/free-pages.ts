import type { Database } from './database.ts';

/** Pages that are moved in one transaction: some 15 ms. */
const PAGES_AT_A_TIME = 1_000;
/** Free pages that are kept, as new rows will need them anyway: 8 MiB, or a tenth of the database. */
const PAGES_KEPT_MIN = 2_048;
const SHARE_KEPT = 0.1;

export function freePageJobs({ $client }: Database) {
  const count = $client.prepare(
    'select page_count as pages, freelist_count as free from pragma_page_count, pragma_freelist_count',
  );
  const counts = () => count.get() as { pages: number; free: number };

  return {
    /**
     * Moves free pages to the end of the file and cuts them off, a bounded number at a time.
     *
     * @returns how many; when that is 0, no more are given back
     */
    giveBackPages({ all }: { all: boolean }): number {
      const { pages, free } = counts();
      const spare = free - (all ? 0 : Math.max(PAGES_KEPT_MIN, Math.floor(pages * SHARE_KEPT)));
      if (spare <= 0) return 0;
      $client.prepare(`PRAGMA incremental_vacuum(${Math.min(spare, PAGES_AT_A_TIME)})`).all();
      return free - counts().free;
    },
  };
}
