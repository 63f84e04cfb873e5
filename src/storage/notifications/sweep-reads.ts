import { type Gap, parsedGap } from '../../domain/notification/silence.ts';
import { heartbeatSeconds } from '../../domain/site/heartbeat.ts';
import { silentAfterMs } from '../../domain/site/site-status.ts';
import { inPieces } from '../../lib/in-pieces.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import { prepareNoted } from './noted-states.ts';

/** A site with the time when it was last seen. */
export interface SeenSite {
  readonly id: number;
  readonly licenseId: number;
  readonly lastSeenAt: number;
  /** How long after that it is silent. */
  readonly silentAfterMs: number;
}

type SeenRow = Omit<SeenSite, 'silentAfterMs'>;

/** When sites were last seen: after a moment, and up to another one. */
export interface SeenSpan {
  readonly after: number;
  readonly upTo: number;
}

/** Read in one turn of the event loop. */
const SITES_PER_TURN = 2_000;
const LICENSES_PER_TURN = 200;

/** Reads the current state, to compare it with the stored one. */
export function readForSweep(db: Database) {
  const target = prepare<{ id: number }>(db, 'select id from targets limit 1');
  const counts = prepare<{ licenseId: number; sites: number }>(
    db,
    `
    select license_id as licenseId, count(*) as sites from sites
      where license_id > :fromId and license_id <= :toId group by license_id
    `,
  );
  const newestLicense = prepare<{ id: number }>(db, 'select coalesce(max(id), 0) as id from licenses');
  const newest = prepare<{ id: number }>(db, 'select coalesce(max(id), 0) as id from sites');
  const seen = prepare<SeenRow>(
    db,
    `
    select id, license_id as licenseId, last_seen_at as lastSeenAt from sites
      where id > :fromId and id <= :toId and last_seen_at > :after and last_seen_at <= :upTo
        and license_id not in (select id from licenses where revoked_at is not null)
    `,
  );
  const noted = prepare<SeenRow>(
    db,
    `
    select id, license_id as licenseId, last_seen_at as lastSeenAt from noted_states
      join sites on sites.id = cast(key as bigint) where kind = 'site' and last_seen_at > ?
    `,
  );
  const failedSignIns = prepare<{ tries: number }>(
    db,
    'select coalesce(sum(tries), 0) as tries from sign_in_tries where last_at > ?',
  );

  const { stateOf } = prepareNoted(db);

  return {
    /** When sites were swept last, and the last gap; undefined before the first sweep. */
    async sweptSites(): Promise<{ readonly at: number; readonly gap: Gap } | undefined> {
      const at = await stateOf('sweep', 'sites');
      return at === undefined ? undefined : { at: Number(at), gap: parsedGap(await stateOf('sweep', 'gap')) };
    },

    /** Whether there is any target. */
    isAnyTarget: async (): Promise<boolean> => (await target.get()) !== undefined,

    /** How long sites of each license may be quiet, by their number. */
    async quietTimes(requestsPerMinute: number): Promise<ReadonlyMap<number, number>> {
      const last = (await newestLicense.get())?.id ?? 0;
      const quiet = new Map<number, number>();
      for await (const piece of inPieces(last, LICENSES_PER_TURN, (span) => counts.all(span)))
        for (const { licenseId, sites } of piece)
          quiet.set(licenseId, silentAfterMs(heartbeatSeconds(sites, requestsPerMinute)));
      return quiet;
    },

    /** Sites that were last seen within a span; none of revoked licenses. */
    async seenWithin(seenIn: SeenSpan): Promise<SeenRow[]> {
      const last = (await newest.get())?.id ?? 0;
      const found: SeenRow[] = [];
      for await (const piece of inPieces(last, SITES_PER_TURN, (span) => seen.all({ ...span, ...seenIn })))
        found.push(...piece);
      return found;
    },

    /** Sites stored as silent that were seen after a moment. */
    notedSilent: async (after: number): Promise<SeenRow[]> => noted.all(after),

    /** Failed sign-ins at places whose last failure is after a moment. */
    failedSignIns: async (after: number): Promise<number> =>
      Number((await failedSignIns.get(after))?.tries ?? 0),
  };
}

export type SweepReads = ReturnType<typeof readForSweep>;
