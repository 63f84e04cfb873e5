/** @jsxImportSource hono/jsx */
import type { HourCounts } from '../lib/hourly-counts.ts';
import { Time } from '../pages/html.tsx';
import { StackedChart } from '../pages/stacked-chart.tsx';
import { TEXTS } from './texts.ts';

/** What license/verify has answered, by the hour. */
export type Hours = readonly HourCounts<'valid' | 'invalid'>[];

/** Bars by the hour, with the same as a table behind them. */
export function VerificationChart({ hours }: { readonly hours: Hours }) {
  const { verify, valid, invalid, hour } = TEXTS.now;
  return (
    <StackedChart
      title={verify}
      bars={hours.map(({ counts }) => ({ good: counts.valid ?? 0, bad: counts.invalid ?? 0 }))}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{hour}</th>
            <th scope="col" class="number">
              {valid}
            </th>
            <th scope="col" class="number">
              {invalid}
            </th>
          </tr>
        </thead>
        <tbody>
          {hours.toReversed().map(({ startsAt, counts }) => (
            <tr>
              <td>
                <Time at={startsAt} />
              </td>
              <td class="number">{counts.valid ?? 0}</td>
              <td class="number">{counts.invalid ?? 0}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </StackedChart>
  );
}
