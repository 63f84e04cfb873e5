import { type After, MINUTE_MS } from '../lib/clock.ts';
import type { AuditEntry } from '../storage/operators/audit.ts';

const TOGETHER_MS = MINUTE_MS;

/** A failed try, as the audit log has it, but for its moment. */
export type FailedTry = Omit<AuditEntry, 'at'>;

export interface FailureLogParts {
  readonly write: (failed: FailedTry) => Promise<void>;
  readonly after: After;
}

/**
 * Writes failed tries to the audit log: the first of a subject at once, those of the next minute in one entry with their number.
 * So many tries take few entries, which are stored for years.
 */
export function createFailureLog({ write, after }: FailureLogParts) {
  const waiting = new Map<string, { failed: FailedTry; tries: number; cancel: () => void }>();

  const writeCounted = async (key: string): Promise<void> => {
    const counted = waiting.get(key);
    waiting.delete(key);
    if (counted === undefined || counted.tries === 0) return;
    const { failed, tries } = counted;
    begin(key, failed);
    await write(tries === 1 ? failed : { ...failed, after: { ...failed.after, tries } });
  };

  const begin = (key: string, failed: FailedTry) => {
    const cancel = after(TOGETHER_MS, () => void writeCounted(key).catch(() => {}));
    waiting.set(key, { failed, tries: 0, cancel });
  };

  return {
    /** @throws Refusal when the first try of a subject cannot be stored */
    async note(failed: FailedTry): Promise<void> {
      const key = JSON.stringify([failed.subject, failed.after]);
      const counted = waiting.get(key);
      if (counted) {
        Object.assign(counted, { failed, tries: counted.tries + 1 });
        return;
      }
      begin(key, failed);
      await write(failed);
    },

    /** Writes what is counted so far, before the end. */
    async flush(): Promise<void> {
      for (const key of [...waiting.keys()]) {
        waiting.get(key)?.cancel();
        await writeCounted(key).catch(() => {});
        waiting.get(key)?.cancel();
        waiting.delete(key);
      }
    },
  };
}
