import type { Connection } from '../connection.ts';

/** Pages moved in one transaction, which takes about 15 ms. */
const PAGES_AT_A_TIME = 1_000;
/** Free pages to keep, because new rows will need them: 8 MiB, or a tenth of the database. */
const PAGES_KEPT_MIN = 2_048;
const SHARE_KEPT = 0.1;

/** See `giveBackPages` of the dialect. */
export function giveBackPages({ prepare }: Connection): ({ all }: { all: boolean }) => Promise<number> {
  const count = prepare<{ pages: number; free: number }>(
    'select page_count as pages, freelist_count as free from pragma_page_count, pragma_freelist_count',
  );
  const counts = async () => (await count.get()) ?? { pages: 0, free: 0 };
  return async ({ all }) => {
    const { pages, free } = await counts();
    const spare = free - (all ? 0 : Math.max(PAGES_KEPT_MIN, Math.floor(pages * SHARE_KEPT)));
    if (spare <= 0) return 0;
    await prepare(`PRAGMA incremental_vacuum(${Math.min(spare, PAGES_AT_A_TIME)})`).all();
    return free - (await counts()).free;
  };
}
