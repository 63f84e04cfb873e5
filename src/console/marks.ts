import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import { within } from '../lib/within.ts';
import type { SiteRisksDesk } from '../operator/site-risks.ts';
import type { HasServiceStatus } from '../routes/admin/service-status.ts';
import type { Parts } from '../routes/parts.ts';
import { readUnacknowledged } from '../storage/sites/critical-alerts.ts';

/** Counts shown next to the entries of the menu. */
export interface Marks {
  /** Critical and high alerts that no operator has acknowledged. */
  readonly alerts: number;
  /** Sites with a vulnerability that is due within three days. */
  readonly vulnerabilities: number;
  /** Whether the menu shows payments. */
  readonly hasPayments: boolean;
}

export interface HasMarks {
  readonly marks: () => Promise<Marks>;
}

const FRESH_MS = 5 * SECOND_MS;
/** Maximum time that the first page waits for the count of sites. */
const FIRST_WAIT_MS = 300;

interface MarkParts extends HasServiceStatus, Parts<'clock' | 'config' | 'db'> {
  readonly siteRisks: SiteRisksDesk['latest'];
}

/**
 * Returns a function that returns the counts of the menu, cached for a few seconds. Assessing all sites is slow, so only the
 * first page waits for it, and only briefly.
 */
export function createMarks({ clock, config, db, serviceStatus, siteRisks }: MarkParts): HasMarks['marks'] {
  const unacknowledged = readUnacknowledged(db);
  let dueSites: number | undefined;
  let countedAt = Number.NEGATIVE_INFINITY;
  const countDueSites = async () => {
    if (clock.monotonic() - countedAt < MINUTE_MS / 4) return;
    countedAt = clock.monotonic();
    const counting = siteRisks().then(
      (risks) => {
        if (risks !== 'failed') dueSites = risks?.dueSoon.sites ?? 0;
      },
      // The page of vulnerabilities shows the failure.
      () => {},
    );
    if (dueSites === undefined) await within(counting, FIRST_WAIT_MS);
  };
  const counted = new FreshValues(
    async () => {
      const { payments } = await serviceStatus();
      return {
        alerts: await unacknowledged(clock.now()),
        hasPayments: config.stripeSecretKey !== undefined || payments.failing + payments.held_licenses > 0,
      };
    },
    { freshMs: FRESH_MS, max: 1, monotonic: clock.monotonic },
  );
  return async () => {
    await countDueSites();
    const { alerts = 0, hasPayments = false } = (await counted.get('all')) ?? {};
    return { alerts, hasPayments, vulnerabilities: dueSites ?? 0 };
  };
}
