/** @jsxImportSource hono/jsx */
import { eventPeriods, type HourlyEvents, type TypeCount } from '../domain/event/event-counts.ts';
import { SEVERITIES } from '../domain/severity.ts';
import { BarChart } from '../pages/bar-chart.tsx';
import { ColumnChart } from '../pages/column-chart.tsx';
import { worded } from '../pages/identifier-words.ts';
import { exactTime } from '../pages/time.tsx';
import { SpanLinks } from './overview-checks.tsx';
import { PERIODS, periodLabel, type Spans } from './overview-spans.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.overview;
/** The least severe events are at the top of a column. */
const STACKED = SEVERITIES.toReversed();

/** Events of all sites over time, by severity. */
export function EventsCard(props: {
  readonly events: readonly HourlyEvents[];
  readonly spans: Spans;
  readonly now: number;
}) {
  const span = props.spans.events;
  return (
    <section class="card c8">
      <header>
        <h2>{WORDS.events}</h2>
        <SpanLinks of="events" spans={props.spans} />
      </header>
      <ColumnChart
        title={WORDS.events}
        first={WORDS.from}
        series={STACKED.map((severity) => ({ name: severity, tone: severity }))}
        columns={eventPeriods(props.events, PERIODS[span], props.now).map(({ startsAt, ...counts }) => ({
          label: periodLabel(startsAt, span),
          name: exactTime(startsAt),
          counts: STACKED.map((severity) => counts[severity]),
        }))}
      />
    </section>
  );
}

/** The most frequent event types of the last 30 days. */
export const TypesCard = ({ types }: { readonly types: readonly TypeCount[] }) => (
  <section class="card c4">
    <header>
      <h2>{WORDS.topAttacks}</h2>
      <span class="quiet">{WORDS.spans['30d']}</span>
    </header>
    {types.length === 0 ? (
      <p class="quiet">{WORDS.noEvents}</p>
    ) : (
      <BarChart
        title={WORDS.topAttacks}
        tone="high"
        columns={[WORDS.type, WORDS.count]}
        bars={types.map(({ type, count }) => ({ name: worded(type), count }))}
      />
    )}
  </section>
);
