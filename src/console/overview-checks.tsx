/** @jsxImportSource hono/jsx */
import { checkPeriods, type HourlyChecks, refusalReasons } from '../domain/license/check-counts.ts';
import { BarChart } from '../pages/bar-chart.tsx';
import { ColumnChart } from '../pages/column-chart.tsx';
import { addressOf } from '../pages/query.ts';
import { exactTime } from '../pages/time.tsx';
import { PERIODS, periodLabel, SPANS, type Span, type Spans } from './overview-spans.ts';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.overview;

interface OfChecks {
  /** Covers at least the last 38 days. */
  readonly checks: readonly HourlyChecks[];
  readonly now: number;
}

export const percent = (part: number, whole: number): string =>
  `${((100 * part) / whole).toLocaleString('en', { maximumFractionDigits: 1 })} %`;

/** Returns the relative change in percent; undefined if the earlier number is 0. */
export function change(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const difference = now - before;
  return `${difference < 0 ? '−' : '+'}${percent(Math.abs(difference), before)}`;
}

/** Links to the time ranges of a chart. The range of the other chart remains. */
export const SpanLinks = ({ of, spans }: { readonly of: keyof Spans; readonly spans: Spans }) => (
  <span class="segments">
    {SPANS.map((each) => (
      <a
        href={addressOf(PLACES.overview.path, { ...spans, [of]: each })}
        aria-current={each === spans[of] ? 'true' : undefined}
      >
        {WORDS.spans[each]}
      </a>
    ))}
  </span>
);

/** License checks over time. */
export function ChecksCard({ checks, spans, now }: OfChecks & { readonly spans: Spans }) {
  const span = spans.checks;
  const periods = checkPeriods(checks, PERIODS[span], now);
  return (
    <section class="card c8">
      <header>
        <h2>{WORDS.checks}</h2>
        <SpanLinks of="checks" spans={spans} />
      </header>
      <ColumnChart
        title={WORDS.checks}
        first={WORDS.from}
        series={[
          { name: WORDS.valid, tone: 'accent' },
          { name: WORDS.refused, tone: 'critical' },
        ]}
        columns={periods.map(({ startsAt, valid, refused }) => ({
          label: periodLabel(startsAt, span),
          name: exactTime(startsAt),
          counts: [valid, refused],
        }))}
      />
    </section>
  );
}

/** The reasons of refused license checks. */
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
