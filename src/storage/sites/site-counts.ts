import { lastSeenOf } from '../../domain/site/site-status.ts';
import { type IdSpan, inPieces } from '../../lib/in-pieces.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** The usual interval; licenses with hundreds of sites report less often. */
const HEARTBEAT_SECONDS = 300;
/** Read in one turn of the event loop. */
const SITES_PER_TURN = 5_000;

/** How many sites of unrevoked licenses report. */
export interface SiteCounts {
  readonly all: number;
  readonly reporting: number;
  readonly stale: number;
  readonly silent: number;
}

type Counted = Pick<SiteCounts, 'all' | 'stale' | 'silent'>;

/** Counts sites by when they were last seen. All sites are read for it, some in each turn of the event loop. */
export function readSiteCounts(db: Database): (now: number) => Promise<SiteCounts> {
  const newest = prepare<{ id: number }>(db, 'select coalesce(max(id), 0) as id from sites');
  const bySeen = prepare<Counted>(
    db,
    `
    select count(*) as "all", coalesce(sum(case when last_seen_at <= :staleAt and last_seen_at > :silentAt then 1 else 0 end), 0) as stale,
        coalesce(sum(case when last_seen_at <= :silentAt then 1 else 0 end), 0) as silent
      from sites where id > :fromId and id <= :toId and license_id not in (select id from licenses where revoked_at is not null)
    `,
  );
  return async (now) => {
    const { after, upTo } = lastSeenOf('stale', now, HEARTBEAT_SECONDS);
    const last = Number((await newest.get())?.id ?? 0);
    const read = (span: IdSpan) => bySeen.get({ ...span, staleAt: upTo, silentAt: after });
    let [all, stale, silent] = [0, 0, 0];
    for await (const piece of inPieces(last, SITES_PER_TURN, read)) {
      all += Number(piece?.all ?? 0);
      stale += Number(piece?.stale ?? 0);
      silent += Number(piece?.silent ?? 0);
    }
    return { all, stale, silent, reporting: all - stale - silent };
  };
}
