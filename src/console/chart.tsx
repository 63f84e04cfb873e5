/** @jsxImportSource hono/jsx */
import type { HourCounts } from '../lib/hourly-counts.ts';
import { ColumnChart } from '../pages/column-chart.tsx';
import { exactTime } from '../pages/time.tsx';
import { TEXTS } from './texts.ts';

/** The answers of license/verify, by the hour. */
export type Hours = readonly HourCounts<'valid' | 'invalid'>[];

export function VerificationChart({ hours }: { readonly hours: Hours }) {
  const { verify, valid, invalid, hour } = TEXTS.now;
  return (
    <ColumnChart
      title={verify}
      first={hour}
      series={[
        { name: valid, tone: 'accent' },
        { name: invalid, tone: 'critical' },
      ]}
      columns={hours.map(({ startsAt, counts }) => {
        const name = exactTime(startsAt);
        return { label: name.slice(-9, -4), name, counts: [counts.valid ?? 0, counts.invalid ?? 0] };
      })}
    />
  );
}
