/** @jsxImportSource hono/jsx */

import { eventPeriods, eventsBetween, type HourlyEvents } from '../domain/event/event-counts.ts';
import { checkPeriods, checksBetween, type HourlyChecks } from '../domain/license/check-counts.ts';
import { SEVERITIES } from '../domain/severity.ts';
import { DAY_MS } from '../lib/clock.ts';
import { whole } from '../pages/html.tsx';
import { Meter } from '../pages/meter.tsx';
import { Tile } from '../pages/tile.tsx';
import type { ServiceStatusNow } from '../routes/admin/service-status.ts';
import type { SiteCounts } from '../storage/sites/site-counts.ts';
import { change, percent } from './overview-checks.tsx';
import { PERIODS } from './overview-spans.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.overview;

export interface OverviewCounts {
  readonly status: ServiceStatusNow;
  readonly sites: SiteCounts;
  /** Of at least the last 38 days, as the events. */
  readonly checks: readonly HourlyChecks[];
  readonly events: readonly HourlyEvents[];
  readonly now: number;
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
      course={day.map((hour) => SEVERITIES.reduce((sum, severity) => sum + hour[severity], 0))}
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
      course={day.map((hour) => hour.refused)}
      tone="critical"
    />
  );
}

/** Four key figures of the installation. */
export const Tiles = (counts: OverviewCounts) => {
  const { licenses } = counts.status;
  const { all, reporting, stale, silent, newLicenses, endingLicenses } = counts.sites;
  return [
    <Tile
      title={WORDS.active}
      value={whole(licenses.active + licenses.trial)}
      sub={WORDS.activeOf(newLicenses, endingLicenses)}
    />,
    <Tile
      title={WORDS.sitesReporting}
      value={WORDS.sitesOf(whole(reporting), whole(all))}
      sub={WORDS.staleOf(stale, silent)}
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
    </Tile>,
    <EventsTile {...counts} />,
    <RefusedTile {...counts} />,
  ];
};
