import { lastSeenOf } from '../../domain/site/site-status.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** The usual interval; licenses with hundreds of sites report less often. */
const HEARTBEAT_SECONDS = 300;
const NEW_DAYS = 7;
const ENDING_DAYS = 30;

/** How many sites of unrevoked licenses report, and how many licenses begin and end. */
export interface SiteCounts {
  readonly all: number;
  readonly reporting: number;
  readonly stale: number;
  readonly silent: number;
  /** Issued within seven days. */
  readonly newLicenses: number;
  /** Without an earlier end of another kind, they end within thirty days. */
  readonly endingLicenses: number;
}

/** Counts sites by when they were last seen. All sites and licenses are read for it. */
export function readSiteCounts(db: Database): (now: number) => Promise<SiteCounts> {
  const bySeen = prepare<{ all: number; stale: number; silent: number }>(
    db,
    `
    select count(*) as "all", coalesce(sum(case when last_seen_at <= :staleAt and last_seen_at > :silentAt then 1 else 0 end), 0) as stale,
        coalesce(sum(case when last_seen_at <= :silentAt then 1 else 0 end), 0) as silent
      from sites where license_id not in (select id from licenses where revoked_at is not null)
    `,
  );
  const byTerm = prepare<{ added: number; ending: number }>(
    db,
    `
    select coalesce(sum(case when created_at > :newAt then 1 else 0 end), 0) as added,
        coalesce(sum(case when expires_at > :now and expires_at <= :endingAt then 1 else 0 end), 0) as ending
      from licenses where revoked_at is null and pending_until is null
    `,
  );
  return async (now) => {
    const { after, upTo } = lastSeenOf('stale', now, HEARTBEAT_SECONDS);
    const seen = await bySeen.get({ staleAt: upTo, silentAt: after });
    const term = await byTerm.get({
      now,
      newAt: now - NEW_DAYS * DAY_MS,
      endingAt: now + ENDING_DAYS * DAY_MS,
    });
    const { all = 0, stale = 0, silent = 0 } = seen ?? {};
    return {
      ...{ all: Number(all), stale: Number(stale), silent: Number(silent) },
      reporting: Number(all) - Number(stale) - Number(silent),
      newLicenses: Number(term?.added ?? 0),
      endingLicenses: Number(term?.ending ?? 0),
    };
  };
}
