/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { SEVERITIES } from '../domain/severity.ts';
import { ColumnChart } from '../pages/column-chart.tsx';
import { dateOf } from '../pages/time.tsx';
import type { DayBuckets } from '../routes/fields/event-counts.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.site;
const WORST_FIRST = SEVERITIES.toReversed();

export const DayChart = ({ days }: { readonly days: Static<typeof DayBuckets> }) => (
  <ColumnChart
    title={WORDS.days}
    first={WORDS.day}
    series={WORST_FIRST.map((severity) => ({ name: WORDS.severities[severity], tone: severity }))}
    columns={days.map((day) => {
      const name = dateOf(Date.parse(day.date));
      return { label: name.slice(0, -5), name, counts: WORST_FIRST.map((severity) => day[severity]) };
    })}
  />
);
