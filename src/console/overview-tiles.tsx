/** @jsxImportSource hono/jsx */

import { eventPeriods, eventsBetween, type HourlyEvents } from '../domain/event/event-counts.ts';
import { checkPeriods, checksBetween, type HourlyChecks } from '../domain/license/check-counts.ts';
import { SEVERITIES } from '../domain/severity.ts';
import { DAY_MS, utcDayNumber } from '../lib/clock.ts';
import { whole } from '../pages/html.tsx';
import { Meter } from '../pages/meter.tsx';
import { Tile } from '../pages/tile.tsx';
import type { ServiceStatusNow } from '../routes/admin/service-status.ts';
import type { FleetDay } from '../storage/sites/fleet-days.ts';
import type { SiteCounts } from '../storage/sites/site-counts.ts';
import { change, percent } from './overview-checks.tsx';
import { PERIODS } from './overview-spans.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.overview;

export interface OverviewCounts {
  readonly status: ServiceStatusNow;
  /** Undefined during the first count. */
  readonly sites: SiteCounts | undefined;
  /** Covers at least the last 30 days, oldest first. */
  readonly days: readonly FleetDay[];
  /** Number of licenses that expire within 30 days. */
  readonly ending: number;
  /** Covers at least the last 38 days, like `events`. */
  readonly checks: readonly HourlyChecks[];
  readonly events: readonly HourlyEvents[];
  readonly now: number;
}

const TREND_DAYS = 30;

/** Returns a count per day up to now, and its difference from a week ago, in words. */
function trendOf(
  { days, now }: Pick<OverviewCounts, 'days' | 'now'>,
  name: 'activeLicenses' | 'reportingSites',
  current: number,
): { readonly trend: readonly number[]; readonly compared: string[] } {
  const today = utcDayNumber(now);
  const before = days.filter(({ day }) => day > today - TREND_DAYS && day < today);
  const lastWeek = before.find(({ day }) => day === today - 7)?.[name];
  const trend = [...before.map((each) => each[name]), current];
  return {
    // A line needs two points.
    trend: trend.length === 1 ? [current, current] : trend,
    compared: lastWeek === undefined ? [] : [WORDS.sinceWeek(current - lastWeek)],
  };
}

function LicensesTile({ status: { licenses }, ending, ...counts }: OverviewCounts) {
  const active = licenses.active + licenses.trial;
  const { trend, compared } = trendOf(counts, 'activeLicenses', active);
  return (
    <Tile
      title={WORDS.active}
      value={whole(active)}
      sub={[...compared, WORDS.ending(ending)].join(' · ')}
      trend={trend}
    />
  );
}

function SitesTile({ sites, ...counts }: OverviewCounts) {
  if (sites === undefined) return <Tile title={WORDS.sitesReporting} value="–" sub={WORDS.counting} />;
  const { all, reporting, stale, silent } = sites;
  const { trend, compared } = trendOf(counts, 'reportingSites', reporting);
  return (
    <Tile
      title={WORDS.sitesReporting}
      value={whole(reporting)}
      of={WORDS.sitesOf(whole(all))}
      sub={[...compared, WORDS.staleOf(stale, silent)].join(' · ')}
      trend={trend}
    >
      <Meter
        label={WORDS.sitesReporting}
        of={all}
        parts={[
          { tone: 'accent', count: reporting },
          { tone: 'medium', count: stale },
          { tone: 'critical', count: silent },
        ]}
      />
    </Tile>
  );
}

function EventsTile({ events, now }: OverviewCounts) {
  const day = eventPeriods(events, PERIODS['24h'], now);
  const from = day[0]?.startsAt ?? now;
  const count = eventsBetween(events, from, now + 1);
  const compared = change(count, eventsBetween(events, from - 7 * DAY_MS, now - 7 * DAY_MS + 1));
  return (
    <Tile
      title={WORDS.events24}
      value={whole(count)}
      sub={compared === undefined ? '' : WORDS.lastWeek(compared)}
      trend={day.map((hour) => SEVERITIES.reduce((sum, severity) => sum + hour[severity], 0))}
      tone="high"
    />
  );
}

function RefusedTile({ checks, now }: OverviewCounts) {
  const day = checkPeriods(checks, PERIODS['24h'], now);
  const from = day[0]?.startsAt ?? now;
  const { valid, refused } = checksBetween(checks, from, now + 1);
  const before = checksBetween(checks, from - 7 * DAY_MS, now - 7 * DAY_MS + 1);
  const compared = change(refused, before.refused);
  const all = valid + refused;
  return (
    <Tile
      title={WORDS.refused24}
      value={whole(refused)}
      sub={[
        ...(all === 0 ? [] : [WORDS.ofChecks(percent(refused, all), whole(all))]),
        ...(compared === undefined ? [] : [WORDS.lastWeek(compared)]),
      ].join(' · ')}
      trend={day.map((hour) => hour.refused)}
      tone="critical"
    />
  );
}

/** Four key figures of the installation. */
export const Tiles = (counts: OverviewCounts) => [
  <LicensesTile {...counts} />,
  <SitesTile {...counts} />,
  <EventsTile {...counts} />,
  <RefusedTile {...counts} />,
];
