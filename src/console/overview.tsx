/** @jsxImportSource hono/jsx */
import { hash } from 'node:crypto';
import { Fragment } from 'hono/jsx';
import { hasRole } from '../domain/admin/operator.ts';
import type { HourlyEvents } from '../domain/event/event-counts.ts';
import { LICENSE_STATES } from '../domain/license/license.ts';
import { getAt } from '../http/route/endpoint.ts';
import { DAY_MS, MINUTE_MS } from '../lib/clock.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import type { SiteRisks, SiteRisksDesk } from '../operator/site-risks.ts';
import { volume, whole } from '../pages/html.tsx';
import { filtersOf, oneOfFilter } from '../pages/query.ts';
import { Time } from '../pages/time.tsx';
import type { HasServiceStatus, ServiceStatusNow } from '../routes/admin/service-status.ts';
import type { Parts } from '../routes/parts.ts';
import { readCustomerNames } from '../storage/licenses/customer-names.ts';
import { type LicenseChecks, readLicenseChecks } from '../storage/licenses/license-checks.ts';
import { readFullLicenses } from '../storage/licenses/refused-domains.ts';
import { readPaymentProblems } from '../storage/payments/payment-problems.ts';
import { readCriticalAlerts, readNewestCriticalAlerts } from '../storage/sites/critical-alerts.ts';
import { readHourlyEvents, readTopTypes } from '../storage/sites/event-counts.ts';
import { readSiteCounts } from '../storage/sites/site-counts.ts';
import { CHECKS_EVERY_MS } from '../tasks/license-checks.ts';
import { type LiveParts, telling } from './live.ts';
import { Attention } from './overview-attention.tsx';
import { AlertsCard, ComponentsCard } from './overview-cards.tsx';
import { ChecksCard, ReasonsCard } from './overview-checks.tsx';
import { EventsCard, TypesCard } from './overview-events.tsx';
import { SPANS } from './overview-spans.ts';
import { Tiles } from './overview-tiles.tsx';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { page, type Visit } from './visit.ts';

const WORDS = TEXTS.overview;
const ALERTS_SHOWN = 5;
/** Of the last thirty days, and of the same as a week before them. */
const COUNTED_DAYS = 38;
const TYPES_SHOWN = 5;
const HELD_SHOWN = 3;
const REFUSED_SHOWN = 2;
const NOTHING_COUNTED = { checks: [], events: [], types: [], held: [], refused: [], oldestAlertAt: null };
const NO_SITES = { all: 0, reporting: 0, stale: 0, silent: 0, newLicenses: 0, endingLicenses: 0 };
const LIVE = '/console/overview/live';

const Foot = ({ status }: { readonly status: ServiceStatusNow }) => {
  const { stored_today: stored, feed, vulnerabilities } = status;
  const moments = [
    [WORDS.foot.up, status.started_at],
    [WORDS.foot.feed, feed.generated_at],
    [WORDS.foot.data, vulnerabilities.imported_at],
  ] as const;
  return (
    <div class="foot">
      {moments.map(([words, at]) =>
        at === null ? null : (
          <span>
            {`${words} `}
            <Time at={Date.parse(at)} />
          </span>
        ),
      )}
      <span>{WORDS.foot.stored(whole(stored.events), volume(stored.bytes))}</span>
      <span>{WORDS.counted}</span>
    </div>
  );
};

interface OverviewParts extends LiveParts, HasServiceStatus, Parts<'clock' | 'db'> {
  readonly siteRisks: SiteRisksDesk['latest'];
}

/** Reads what the page shows, what is slow to count at intervals. */
function createOverviewReads({ db, clock, serviceStatus, siteRisks }: OverviewParts) {
  const newestAlerts = readNewestCriticalAlerts(db);
  const criticalAlerts = readCriticalAlerts(db);
  const paymentProblems = readPaymentProblems(db);
  const fullLicenses = readFullLicenses(db);
  const siteCounts = readSiteCounts(db);
  const since = () => clock.now() - COUNTED_DAYS * DAY_MS;
  // Open pages ask every five seconds, and these are thousands of rows.
  const counted = new FreshValues(
    async () => ({
      checks: await readLicenseChecks(db, since()),
      events: await readHourlyEvents(db, since()),
      types: await readTopTypes(db, clock.now() - 30 * DAY_MS, TYPES_SHOWN),
      oldestAlertAt: (await criticalAlerts(clock.now())).oldestAt,
      held: (await paymentProblems(HELD_SHOWN, clock.now())).held,
      refused: await fullLicenses(clock.now() - DAY_MS, REFUSED_SHOWN),
    }),
    { freshMs: CHECKS_EVERY_MS, max: 1, monotonic: clock.monotonic },
  );
  const sites = new FreshValues(() => siteCounts(clock.now()), {
    ...{ freshMs: MINUTE_MS, max: 1, monotonic: clock.monotonic },
  });

  return async () => {
    const now = clock.now();
    const risks = await siteRisks();
    const alerts = await newestAlerts(ALERTS_SHOWN, now);
    const known = (await counted.get('all')) ?? NOTHING_COUNTED;
    const ids = [...alerts, ...known.held].map(({ licenseId }) => licenseId);
    return {
      ...{ ...known, status: await serviceStatus(), alerts },
      sites: (await sites.get('all')) ?? NO_SITES,
      names: await readCustomerNames(db, ids),
      risks: risks === 'failed' ? undefined : risks,
    };
  };
}

/** What needs attention, and how the installation does. */
export const overviewPage = (parts: OverviewParts) => {
  const { clock } = parts;
  const read = createOverviewReads(parts);

  const show = async ({ set, operator, request }: Visit) => {
    const seen = await read();
    const { status, alerts, types, risks } = seen;
    const filters = filtersOf(request, ['checks', 'events']);
    const spans = {
      checks: oneOfFilter(SPANS, filters.checks) ?? '24h',
      events: oneOfFilter(SPANS, filters.events) ?? '30d',
    };
    const now = clock.now();
    const names = hasRole(operator.role, 'support') ? seen.names : undefined;
    const all = LICENSE_STATES.reduce((sum, state) => sum + status.licenses[state], 0);
    return showPlace(
      { set, operator },
      PLACES.overview,
      <div data-live={LIVE} data-seen={digestOf(seen)}>
        <Attention facts={{ ...seen, names }} />
        <div class="grid">
          <Tiles {...seen} now={now} />
          <ChecksCard checks={seen.checks} spans={spans} now={now} />
          <ReasonsCard checks={seen.checks} span={spans.checks} now={now} />
          <EventsCard events={seen.events} spans={spans} now={now} />
          <TypesCard types={types} />
          <AlertsCard alerts={alerts} names={names} />
          <ComponentsCard risks={risks} />
          <Foot status={status} />
        </div>
      </div>,
      {
        sub: `${TEXTS.counts.licenses(all)}, ${TEXTS.counts.sites(seen.sites.all)}`,
        ...(hasRole(operator.role, 'operator')
          ? {
              actions: (
                <Fragment>
                  <a class="button quiet" href={`${PLACES.licenses.path}/import`}>
                    {WORDS.import}
                  </a>
                  <a class="button" href={`${PLACES.licenses.path}/new`}>
                    {WORDS.issue}
                  </a>
                </Fragment>
              ),
            }
          : {}),
      },
    );
  };

  return [
    getAt('/console', page(parts, 'viewer', show)),
    getAt(
      LIVE,
      telling(parts, async () => digestOf(await read())),
    ),
  ];
};

/** Differs whenever the page would show something else, but for ages. */
function digestOf({
  status,
  risks,
  names,
  checks,
  events,
  ...rest
}: {
  readonly status: ServiceStatusNow;
  readonly risks: SiteRisks | undefined;
  readonly names: ReadonlyMap<number, string>;
  readonly checks: readonly LicenseChecks[];
  readonly events: readonly HourlyEvents[];
}): string {
  const { read_at, feed, ...lasting } = status;
  const { age_seconds, ...epoch } = feed;
  const counted = risks && { ...risks, countedAt: 0 };
  // Thousands of rows, of which only those of the current hour grow.
  const sums = [checks, events].map((rows) => [rows.length, rows.reduce((sum, { count }) => sum + count, 0)]);
  return hash(
    'sha256',
    JSON.stringify({ ...rest, ...lasting, epoch, counted, names: [...names], sums }),
    'base64url',
  ).slice(0, 22);
}
