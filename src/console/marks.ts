import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import { within } from '../lib/within.ts';
import type { SiteRisksDesk } from '../operator/site-risks.ts';
import type { HasServiceStatus } from '../routes/admin/service-status.ts';
import type { Parts } from '../routes/parts.ts';
import { readUnacknowledged } from '../storage/sites/critical-alerts.ts';

/** Numbers and marks next to the entries of the menu. */
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
/** How long the first page waits for sites to be counted. */
const FIRST_WAIT_MS = 300;

interface MarkParts extends HasServiceStatus, Parts<'clock' | 'config' | 'db'> {
  readonly siteRisks: SiteRisksDesk['latest'];
}

/** Counts what the menu shows, at most every few seconds. Only the first page waits a moment for the sites of all tenants to be judged. */
export function createMarks({ clock, config, db, serviceStatus, siteRisks }: MarkParts): HasMarks['marks'] {
  const unacknowledged = readUnacknowledged(db);
  let dueSites: number | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = async () => {
    if (clock.monotonic() - askedAt < MINUTE_MS / 4) return;
    askedAt = clock.monotonic();
    const asking = siteRisks().then(
      (risks) => {
        if (risks !== 'failed') dueSites = risks?.dueSoon.sites ?? 0;
      },
      // The page of vulnerabilities reports the failure.
      () => {},
    );
    if (dueSites === undefined) await within(asking, FIRST_WAIT_MS);
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
    await ask();
    const { alerts = 0, hasPayments = false } = (await counted.get('all')) ?? {};
    return { alerts, hasPayments, vulnerabilities: dueSites ?? 0 };
  };
}
