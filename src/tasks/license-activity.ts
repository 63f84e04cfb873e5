import { isRefusal } from '../domain/refusal.ts';
import type { NoteAnswer } from '../http/access-log.ts';
import { type After, type Clock, SECOND_MS } from '../lib/clock.ts';
import { flushEvery } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Writer } from '../storage/engine/writer.ts';
import { type NotedAnswers, REFUSALS_KEPT } from '../storage/licenses/license-activity.ts';

/** Longest delay before counted answers are stored. */
export const ACTIVITY_EVERY_MS = 5 * SECOND_MS;
/** Licenses recorded between two writes; answers to others are dropped, so that no transaction takes long. */
const LICENSES_NOTED_MAX = 5_000;

interface ActivityParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
}

interface LicenseActivity {
  readonly note: NoteAnswer;
  /** Stores remaining answers. */
  stop(): Promise<void>;
}

/**
 * Collects the answers to licenses and stores them for the operator every five seconds. After a failure, they are stored with
 * the next ones.
 */
export function startLicenseActivity({ clock, after, log, writer }: ActivityParts): LicenseActivity {
  let noted = new Map<number, NotedAnswers>();
  let isFailing = false;

  const restore = (unwritten: ReadonlyMap<number, NotedAnswers>) => {
    for (const [id, older] of unwritten) {
      const newer = noted.get(id);
      if (newer) {
        newer.verified ??= older.verified;
        newer.refusals = [...newer.refusals, ...older.refusals].slice(0, REFUSALS_KEPT);
      } else if (noted.size < LICENSES_NOTED_MAX) noted.set(id, older);
    }
  };

  const write = async () => {
    if (noted.size === 0) return;
    const taken = noted;
    noted = new Map();
    const answers = [...taken.values()];
    const refusal = await writer.write('noteLicenseActivity', { answers, now: clock.now() });
    if (isRefusal(refusal)) {
      restore(taken);
      if (!isFailing) log.warn('results of license checks cannot be stored; retrying');
    }
    isFailing = isRefusal(refusal);
  };

  const stop = flushEvery(ACTIVITY_EVERY_MS, after, write, (error) =>
    log.error('results of license checks were lost', { fault: faultOf(error) }),
  );

  return {
    note({ licenseId, route, code, verification }) {
      let entry = noted.get(licenseId);
      if (entry === undefined) {
        if (noted.size >= LICENSES_NOTED_MAX) return;
        entry = { licenseId, verified: undefined, refusals: [] };
        noted.set(licenseId, entry);
      }
      const at = clock.now();
      if (verification) entry.verified = { at, verification };
      if (code === undefined) return;
      entry.refusals.unshift({ at, route, code });
      if (entry.refusals.length > REFUSALS_KEPT) entry.refusals.pop();
    },
    stop,
  };
}
