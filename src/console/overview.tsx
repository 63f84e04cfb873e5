/** @jsxImportSource hono/jsx */
import { hash } from 'node:crypto';
import { hasRole } from '../domain/admin/operator.ts';
import { LICENSE_STATES } from '../domain/license/license.ts';
import { getAt } from '../http/route/endpoint.ts';
import { DAY_MS } from '../lib/clock.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import type { SiteRisksDesk } from '../operator/site-risks.ts';
import { volume, whole } from '../pages/html.tsx';
import { filtersOf, oneOfFilter } from '../pages/query.ts';
import { Time } from '../pages/time.tsx';
import type { HasServiceStatus, ServiceStatusNow } from '../routes/admin/service-status.ts';
import type { Parts } from '../routes/parts.ts';
import { type LicenseChecks, readLicenseChecks } from '../storage/licenses/license-checks.ts';
import { readNewestCriticalAlerts } from '../storage/sites/critical-alerts.ts';
import { CHECKS_EVERY_MS } from '../tasks/license-checks.ts';
import { type LiveParts, telling } from './live.ts';
import { Attention } from './overview-attention.tsx';
import { AlertsCard, ComponentsCard } from './overview-cards.tsx';
import { ChecksCard, ReasonsCard, SPANS, Tiles } from './overview-checks.tsx';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { page, type Visit } from './visit.ts';

const WORDS = TEXTS.overview;
const ALERTS_SHOWN = 5;
const CHECKS_DAYS = 38;
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

/** What needs attention, and how the installation does. */
export const overviewPage = (parts: OverviewParts) => {
  const { db, clock, serviceStatus, siteRisks } = parts;
  const newestAlerts = readNewestCriticalAlerts(db);
  // Open pages ask every five seconds, and these are thousands of rows.
  const checks = new FreshValues<'all', LicenseChecks[]>(
    () => readLicenseChecks(db, clock.now() - CHECKS_DAYS * DAY_MS),
    { freshMs: CHECKS_EVERY_MS, max: 1, monotonic: clock.monotonic },
  );

  const read = async () => ({
    status: await serviceStatus(),
    alerts: await newestAlerts(ALERTS_SHOWN, clock.now()),
    checks: (await checks.get('all')) ?? [],
    risks: await siteRisks(),
  });

  const show = async ({ set, operator, request }: Visit) => {
    const seen = await read();
    const { status, alerts, checks, risks } = seen;
    const counted = risks === 'failed' ? undefined : risks;
    const span = oneOfFilter(SPANS, filtersOf(request, ['checks']).checks) ?? '24h';
    const now = clock.now();
    const all = LICENSE_STATES.reduce((sum, state) => sum + status.licenses[state], 0);
    return showPlace(
      { set, operator },
      PLACES.overview,
      <div data-live={LIVE} data-seen={digestOf(seen)}>
        <Attention status={status} risks={counted} />
        <div class="grid">
          <Tiles status={status} checks={checks} now={now} />
          <ChecksCard checks={checks} span={span} now={now} />
          <ReasonsCard checks={checks} span={span} now={now} />
          <AlertsCard alerts={alerts} />
          <ComponentsCard risks={counted} />
          <Foot status={status} />
        </div>
      </div>,
      {
        sub: TEXTS.counts.licenses(all),
        ...(hasRole(operator.role, 'operator')
          ? {
              actions: (
                <a class="button" href={`${PLACES.licenses.path}/new`}>
                  {WORDS.issue}
                </a>
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
  ...rest
}: {
  readonly status: ServiceStatusNow;
  readonly risks: unknown;
}): string {
  const { read_at, feed, ...lasting } = status;
  const { age_seconds, ...epoch } = feed;
  const counted = typeof risks === 'object' ? { ...risks, countedAt: 0 } : risks;
  return hash('sha256', JSON.stringify({ ...rest, ...lasting, epoch, counted }), 'base64url').slice(0, 22);
}
