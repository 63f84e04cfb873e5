import { DAY_MS, utcDay, utcDayNumber } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { ofRetention } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { evidenceEntries } from './evidence-entries.ts';
import type { evidenceCheckpoints } from './tables.ts';

/** A signed state of a log. */
export interface SignedState extends Row<typeof evidenceCheckpoints> {
  readonly origin: string;
}

/** A state in an entry: the number of entries, and their hash in base64url. */
export interface NamedState {
  /** Of the log. */
  readonly number: number;
  readonly size: number;
  readonly root_hash: string;
}

/** A log that is inconsistent with its signed heads. */
export interface LostHistory {
  readonly logId: number;
  /** Of its successor. */
  readonly number: number;
  /** The last signed head of each log of its name; empty when they are lost. */
  readonly signed: readonly NamedState[];
  /** The current state. */
  readonly kept: NamedState;
  readonly now: number;
}

const RETENTION_CHUNK_ENTRIES = 2_000;

export function evidenceJobs(db: Database) {
  const { currentLog, beginLog, keepEvidence } = evidenceEntries(db);
  const setOrigin = prepare(db, 'update evidence_logs set origin = coalesce(origin, ?) where id = ?');
  const insertCheckpoint = prepare(
    db,
    'insert into evidence_checkpoints (log_id, size, signed_at, note, vkey) values (?, ?, ?, ?, ?) on conflict do nothing',
  );
  const end = prepare<{ licenseId: number; publicId: string; origin: string | null }>(
    db,
    `
    update evidence_logs set ended_at = :now where id = :logId and ended_at is null
      returning license_id as licenseId, public_id as publicId, origin
    `,
  );
  const entryAt = prepare<{ type: string; entry: string | null }>(
    db,
    'select type, entry from evidence_entries where log_id = ? and position = ?',
  );
  const oldestKept = prepare<{ id: number; keptFrom: number }>(
    db,
    'select id, kept_from as keptFrom from evidence_logs where kept_at < ? order by kept_at limit 1',
  );
  const lastBefore = prepare<{ upTo: number | null }>(
    db,
    `
    select max(position) as upTo from evidence_entries
      where log_id = :id and position >= :keptFrom and position < :end and at < :before
    `,
  );
  const forget = prepare(
    db,
    'update evidence_entries set entry = null where log_id = :id and position >= :keptFrom and position < :next',
  );
  const keepFrom = prepare(
    db,
    `
    update evidence_logs set kept_from = :next,
        kept_at = (select min(at) from evidence_entries where log_id = :id and position >= :next and position < :end)
      where id = :id
    `,
  );

  return {
    /** Adds the entry of a new UTC day to a license's log, unless it has one, so that the age of a checkpoint is visible. */
    async keepDay({ licenseId, now }: { licenseId: number; now: number }): Promise<void> {
      const log = await currentLog(licenseId);
      if (log !== undefined && utcDayNumber(log.lastAt) >= utcDayNumber(now)) return;
      await keepEvidence({ licenseId, type: 'day', at: now, siteId: null, data: { day: utcDay(now) } });
    },

    /** Adds an entry to a license's log that another key signs its checkpoints, unless it is the newest entry. */
    async keepLogKey({
      licenseId,
      vkey,
      now,
    }: {
      licenseId: number;
      vkey: string;
      now: number;
    }): Promise<void> {
      const log = await currentLog(licenseId);
      const newest = log && (await entryAt.get(log.id, log.size - 1));
      if (newest?.type === 'key_changed' && newest.entry?.includes(JSON.stringify(vkey))) return;
      await keepEvidence({
        licenseId,
        type: 'key_changed',
        at: now,
        siteId: null,
        data: { signs: 'evidence', vkey },
      });
    },

    /** Stores a signed state of a log, and with the first its origin. */
    async keepCheckpoint({ logId, size, origin, note, vkey, signedAt }: SignedState): Promise<void> {
      await setOrigin.run(origin, logId);
      await insertCheckpoint.run(logId, size, signedAt, note, vkey);
    },

    /**
     * Ends a log that is inconsistent with its signed heads, as after the restore of an older backup, and begins a successor.
     */
    async replaceEvidenceLog({ logId, number, signed, kept, now }: LostHistory): Promise<void> {
      const ended = await end.get({ logId, now });
      if (ended === undefined) return;
      const { licenseId, publicId, origin } = ended;
      await beginLog({ licenseId, publicId, number, at: now });
      const data = { origin, signed, kept };
      await keepEvidence({ licenseId, type: 'restored', at: now, siteId: null, data });
    },

    /**
     * Deletes the oldest texts of before a moment, a bounded number at a time. Their hashes stay, and with them every proof.
     *
     * @returns 0 when none is left
     */
    forgetEvidence: ofRetention(
      ({ now, auditDays }) => ({ before: now - auditDays * DAY_MS }),
      async ({ before }: { before: number }): Promise<number> => {
        const log = await oldestKept.get(before);
        if (log === undefined) return 0;
        // Entries of a clock that ran ahead are deleted with their successors.
        const { upTo } =
          (await lastBefore.get({ ...log, end: log.keptFrom + RETENTION_CHUNK_ENTRIES, before })) ?? {};
        const next = (upTo ?? log.keptFrom - 1) + 1;
        await forget.run({ ...log, next });
        await keepFrom.run({ id: log.id, next, end: next + RETENTION_CHUNK_ENTRIES });
        return 1;
      },
    ),
  };
}
