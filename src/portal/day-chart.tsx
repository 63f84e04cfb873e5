/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { SEVERITIES } from '../domain/severity.ts';
import { Columns, whole } from '../pages/html.tsx';
import { StackedChart } from '../pages/stacked-chart.tsx';
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
    <table>
      <Columns of={[WORDS.day, ...WORST_FIRST.map((severity) => WORDS.severities[severity])]} />
      <tbody>
        {days.toReversed().map((day) => (
          <tr>
            <th scope="row">{day.date}</th>
            {WORST_FIRST.map((severity) => (
              <td>{whole(day[severity])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </StackedChart>
);
