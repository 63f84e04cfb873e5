/** @jsxImportSource hono/jsx */
import {
  checkPeriods,
  checksBetween,
  type HourlyChecks,
  refusalReasons,
} from '../domain/license/check-counts.ts';
import { DAY_MS, HOUR_MS } from '../lib/clock.ts';
import { BarChart } from '../pages/bar-chart.tsx';
import { ColumnChart } from '../pages/column-chart.tsx';
import { whole } from '../pages/html.tsx';
import { addressOf } from '../pages/query.ts';
import { Tile } from '../pages/tile.tsx';
import { dateOf, exactTime } from '../pages/time.tsx';
import type { ServiceStatusNow } from '../routes/admin/service-status.ts';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.overview;

export const SPANS = ['24h', '7d', '30d'] as const;
type Span = (typeof SPANS)[number];

const PERIODS: Readonly<Record<Span, { readonly periods: number; readonly stepMs: number }>> = {
  '24h': { periods: 24, stepMs: HOUR_MS },
  '7d': { periods: 28, stepMs: 6 * HOUR_MS },
  '30d': { periods: 30, stepMs: DAY_MS },
};

interface OfChecks {
  /** Of at least the last 38 days. */
  readonly checks: readonly HourlyChecks[];
  readonly now: number;
}

const percent = (part: number, whole: number): string =>
  `${((100 * part) / whole).toLocaleString('en', { maximumFractionDigits: 1 })} %`;

function change(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const difference = now - before;
  return `${difference < 0 ? '−' : '+'}${percent(Math.abs(difference), before)}`;
}

/** Four numbers that say how the installation does. */
export function Tiles({ status, checks, now }: OfChecks & { readonly status: ServiceStatusNow }) {
  const { licenses, critical_alerts: open, critical_alerts_unacknowledged: unacknowledged } = status;
  const day = checkPeriods(checks, PERIODS['24h'], now);
  const from = day[0]?.startsAt ?? now;
  const { valid, refused } = checksBetween(checks, from, now + 1);
  const before = checksBetween(checks, from - 7 * DAY_MS, now - 7 * DAY_MS + 1);
  const all = valid + refused;
  const compared = change(all, before.valid + before.refused);
  return [
    <Tile
      title={WORDS.active}
      value={whole(licenses.active)}
      sub={WORDS.activeOf(whole(licenses.trial), whole(licenses.suspended))}
    />,
    <Tile
      title={WORDS.criticalAlerts}
      value={whole(open)}
      sub={WORDS.unacknowledged(whole(unacknowledged))}
    />,
    <Tile
      title={WORDS.checks24}
      value={whole(all)}
      sub={compared === undefined ? '' : WORDS.lastWeek(compared)}
      course={day.map((hour) => hour.valid + hour.refused)}
    />,
    <Tile
      title={WORDS.refused24}
      value={whole(refused)}
      sub={all === 0 ? '' : WORDS.ofAll(percent(refused, all))}
      course={day.map((hour) => hour.refused)}
      tone="critical"
    />,
  ];
}

const labelOf = (startsAt: number, span: Span): string =>
  span === '24h' ? exactTime(startsAt).slice(-9, -4) : dateOf(startsAt).slice(0, -5);

/** License checks over time. */
export function ChecksCard({ checks, span, now }: OfChecks & { readonly span: Span }) {
  const periods = checkPeriods(checks, PERIODS[span], now);
  return (
    <section class="card c8">
      <header>
        <h2>{WORDS.checks}</h2>
        <span class="segments">
          {SPANS.map((each) => (
            <a
              href={addressOf(PLACES.overview.path, { checks: each })}
              aria-current={each === span ? 'true' : undefined}
            >
              {WORDS.spans[each]}
            </a>
          ))}
        </span>
      </header>
      <ColumnChart
        title={WORDS.checks}
        first={WORDS.from}
        series={[
          { name: WORDS.valid, tone: 'accent' },
          { name: WORDS.refused, tone: 'critical' },
        ]}
        columns={periods.map(({ startsAt, valid, refused }) => ({
          label: labelOf(startsAt, span),
          name: exactTime(startsAt),
          counts: [valid, refused],
        }))}
      />
    </section>
  );
}

/** Why license checks were refused. */
export function ReasonsCard({ checks, span, now }: OfChecks & { readonly span: Span }) {
  const [first] = checkPeriods(checks, PERIODS[span], now);
  const reasons = refusalReasons(checks, first?.startsAt ?? now);
  return (
    <section class="card c4">
      <header>
        <h2>{WORDS.why}</h2>
        <span class="quiet">{WORDS.spans[span]}</span>
      </header>
      {reasons.length === 0 ? (
        <p class="quiet">{WORDS.noneRefused}</p>
      ) : (
        <BarChart
          title={WORDS.why}
          tone="critical"
          columns={[WORDS.reason, WORDS.count]}
          bars={reasons.map(([reason, count]) => ({ name: WORDS.reasons[reason], count }))}
        />
      )}
    </section>
  );
}
