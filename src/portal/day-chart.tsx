/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { SEVERITIES } from '../domain/severity.ts';
import { whole } from '../pages/html.tsx';
import { StackedChart } from '../pages/stacked-chart.tsx';
import { Table } from '../pages/table.tsx';
import type { DayBuckets } from '../routes/fields/event-counts.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.site;
const WORST_FIRST = SEVERITIES.toReversed();

type Days = Static<typeof DayBuckets>;

/** Events by day, the grave ones on top, with the same by severity as a table behind them. */
export const DayChart = ({ days }: { readonly days: Days }) => (
  <StackedChart
    title={WORDS.days}
    bars={days.map(({ info, low, medium, high, critical }) => ({
      good: info + low + medium,
      bad: high + critical,
    }))}
  >
    <Table
      label={TEXTS.table}
      columns={[WORDS.day, ...WORST_FIRST.map((severity) => WORDS.severities[severity])]}
      rows={days
        .toReversed()
        .map((day) => [day.date, ...WORST_FIRST.map((severity) => whole(day[severity]))])}
    />
  </StackedChart>
);
