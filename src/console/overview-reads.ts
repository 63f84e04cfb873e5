import { type HourlyEvents, topTypes } from '../domain/event/event-counts.ts';
import { countEntries } from '../domain/threat/feed.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS, utcDayNumber } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import { HourlyRows } from '../lib/hourly-rows.ts';
import { PatientValue } from '../lib/patient-value.ts';
import type { SiteRisks, SiteRisksDesk } from '../operator/site-risks.ts';
import type { HasServiceStatus } from '../routes/admin/service-status.ts';
import type { Parts } from '../routes/parts.ts';
import { readDatabaseSize } from '../storage/installation/database-size.ts';
import { readCustomerNames } from '../storage/licenses/customer-names.ts';
import { readEndingLicenses } from '../storage/licenses/ending-licenses.ts';
import { type LicenseChecks, readLicenseChecks } from '../storage/licenses/license-checks.ts';
import { readFullLicenses } from '../storage/licenses/refused-domains.ts';
import { readPaymentProblems } from '../storage/payments/payment-problems.ts';
import { readCriticalAlerts, readNewestCriticalAlerts } from '../storage/sites/critical-alerts.ts';
import { type HourlyType, readHourlyEvents, readHourlyTypes } from '../storage/sites/event-counts.ts';
import { readFleetDays } from '../storage/sites/fleet-days.ts';
import { readSiteCounts } from '../storage/sites/site-counts.ts';
import { readFeedSnapshot } from '../storage/threats/feed-snapshots.ts';
import { CHECKS_EVERY_MS } from '../tasks/license-checks.ts';

const ALERTS_SHOWN = 5;
/** The last 30 days, and one more week for comparison. */
const COUNTED_DAYS = 38;
const TYPES_DAYS = 30;
const TYPES_SHOWN = 5;
const HELD_SHOWN = 3;
const REFUSED_SHOWN = 2;
/** Maximum time that the page waits for slow counts; the second applies to the first count. */
const WAIT_MS = 15;
const FIRST_WAIT_MS = 300;
const NOTHING_COUNTED = {
  checks: [],
  events: [],
  types: [],
  held: [],
  refused: [],
  days: [],
  oldestAlertAt: null,
  ending: 0,
};

export interface OverviewParts extends HasServiceStatus, Parts<'clock' | 'db' | 'health' | 'log'> {
  readonly siteRisks: SiteRisksDesk['latest'];
}

/** The result of {@link createOverviewReads}. */
export type OverviewFacts = Awaited<ReturnType<ReturnType<typeof createOverviewReads>>>;

/** Returns a function that reads the data of the page. Slow counts are cached, or run in the background. */
export function createOverviewReads({ db, clock, health, log, serviceStatus, siteRisks }: OverviewParts) {
  const { monotonic } = clock;
  const newestAlerts = readNewestCriticalAlerts(db);
  const criticalAlerts = readCriticalAlerts(db);
  const paymentProblems = readPaymentProblems(db);
  const fullLicenses = readFullLicenses(db);
  const endingLicenses = readEndingLicenses(db);
  const siteCounts = readSiteCounts(db);
  const databaseSize = readDatabaseSize(db);
  const checks = new HourlyRows<LicenseChecks>((since) => readLicenseChecks(db, since));
  const events = new HourlyRows<HourlyEvents>((since) => readHourlyEvents(db, since));
  const types = new HourlyRows<HourlyType>((since) => readHourlyTypes(db, since));
  // Open pages read them every five seconds.
  const counted = new FreshValues(
    async () => {
      const now = clock.now();
      const since = now - COUNTED_DAYS * DAY_MS;
      return {
        checks: await checks.since(since, now),
        events: await events.since(since, now),
        types: topTypes(await types.since(now - TYPES_DAYS * DAY_MS, now), TYPES_SHOWN),
        oldestAlertAt: (await criticalAlerts(now)).oldestAt,
        held: (await paymentProblems(HELD_SHOWN, now)).held,
        refused: await fullLicenses(now - DAY_MS, REFUSED_SHOWN),
        days: await readFleetDays(db, utcDayNumber(since)),
        ending: await endingLicenses(now),
      };
    },
    { freshMs: CHECKS_EVERY_MS, max: 1, monotonic },
  );
  const slow = new FreshValues(
    async () => {
      const snapshot = await readFeedSnapshot(db);
      return {
        bytes: await databaseSize(),
        feedEntries: snapshot === undefined ? undefined : countEntries(snapshot),
      };
    },
    { freshMs: MINUTE_MS, max: 1, monotonic },
  );
  const sites = new PatientValue(
    async () => {
      const now = clock.now();
      return { ...(await siteCounts(now)), countedAt: now };
    },
    {
      freshMs: 5 * SECOND_MS,
      waitMs: WAIT_MS,
      firstWaitMs: FIRST_WAIT_MS,
      monotonic,
      onFault: (error) => log.warn('sites could not be counted', { fault: faultOf(error) }),
    },
  );

  let lastRisks: SiteRisks | undefined;
  /** Returns the current risks. While those of newly imported data are counted, returns the previous ones. */
  const risksNow = async (): Promise<SiteRisks | undefined> => {
    const found = await siteRisks(lastRisks === undefined ? FIRST_WAIT_MS : WAIT_MS);
    if (found === 'failed') return undefined;
    lastRisks = found ?? lastRisks;
    return lastRisks;
  };

  return async () => {
    const now = clock.now();
    const counting = sites.latest();
    const risks = await risksNow();
    const alerts = await newestAlerts(ALERTS_SHOWN, now);
    const known = (await counted.get('all')) ?? NOTHING_COUNTED;
    const ids = [...alerts, ...known.held].map(({ licenseId }) => licenseId);
    return {
      ...known,
      status: await serviceStatus(),
      alerts,
      ...((await slow.get('all')) ?? { bytes: 0, feedEntries: undefined }),
      sites: await counting,
      backup: await health.lastBackup(),
      names: await readCustomerNames(db, ids),
      risks,
    };
  };
}
