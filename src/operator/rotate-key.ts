import { GRACE_DAYS_MAX, newLicenseKey } from '../domain/license/license-key.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { DAY_MS, iso } from '../lib/clock.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import type { PreviousKey } from '../storage/licenses/previous-keys.ts';
import { type Act, audited, type PlannedAct, type RefusedAct, refusalOfRevoked } from './act.ts';

/**
 * Rotates the key of a license.
 *
 * @param previous the previous key, if it still works: it stops in any case
 * @param graceMs how long the current key works in addition to the new one; 0 = it stops immediately
 * @returns the key, which is stored nowhere, and until when the current one works (Unix milliseconds; null = not at all)
 */
export function rotateKey(
  license: LicenseRecord,
  previous: PreviousKey | undefined,
  graceMs: number,
  act: Act,
): (PlannedAct & { readonly key: string; readonly oldWorksUntil: number | null }) | RefusedAct {
  const { id, environment } = license;
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  if (graceMs > GRACE_DAYS_MAX * DAY_MS) {
    return { refused: `the old key can keep working for at most ${GRACE_DAYS_MAX} days` };
  }
  const oldWorksUntil = graceMs > 0 ? act.now + graceMs : null;
  const { key, stored } = newLicenseKey(environment);
  const facts = oldWorksUntil === null ? {} : { after: { oldKeyWorksUntil: oldWorksUntil } };
  const rotation = { name: 'rotateKey', input: { id, stored, oldWorksUntil } } as const;
  return {
    ...audited(act, 'license.rotate', licenseName(id), [rotation], facts),
    notices: previous
      ? [
          `the previous key, …${previous.keyLast4}, would have worked until ${iso(previous.worksUntil)} and stops now`,
        ]
      : [],
    key,
    oldWorksUntil,
  };
}
