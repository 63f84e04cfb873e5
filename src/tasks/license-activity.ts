import { isRefusal } from '../domain/refusal.ts';
import type { NoteAnswer } from '../http/access-log.ts';
import { type After, type Clock, SECOND_MS } from '../lib/clock.ts';
import { flushEvery } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Writer } from '../storage/engine/writer.ts';
import { type NotedAnswers, REFUSALS_KEPT } from '../storage/licenses/license-activity.ts';

/** How late what licenses were answered is written down. */
export const ACTIVITY_EVERY_MS = 5 * SECOND_MS;
/** Licenses that are noted between two writes; of more, nothing is: one transaction must not take long. */
const LICENSES_NOTED_MAX = 5_000;

interface ActivityParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
}

interface LicenseActivity {
  readonly note: NoteAnswer;
  /** Writes down what is left. */
  stop(): Promise<void>;
}

/**
 * Remembers what licenses were answered, and writes it down for their operator every five seconds, if there is anything. What
 * cannot be written is tried again with what comes.
 */
export function startLicenseActivity({ clock, after, log, writer }: ActivityParts): LicenseActivity {
  let noted = new Map<number, NotedAnswers>();
  let isFailing = false;

  const takeBack = (unwritten: ReadonlyMap<number, NotedAnswers>) => {
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
      takeBack(taken);
      if (!isFailing) log.warn('results of license checks cannot be stored; retrying');
    }
    isFailing = isRefusal(refusal);
  };

  const stop = flushEvery(ACTIVITY_EVERY_MS, after, write, (error) =>
    log.error('results of license checks were lost', { fault: faultOf(error) }),
  );

  return {
    note({ licenseId, route, code, verification }) {
      let of = noted.get(licenseId);
      if (of === undefined) {
        if (noted.size >= LICENSES_NOTED_MAX) return;
        of = { licenseId, verified: undefined, refusals: [] };
        noted.set(licenseId, of);
      }
      const at = clock.now();
      if (verification) of.verified = { at, verification };
      if (code === undefined) return;
      of.refusals.unshift({ at, route, code });
      if (of.refusals.length > REFUSALS_KEPT) of.refusals.pop();
    },
    stop,
  };
}
