/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { Tone } from './column-chart.tsx';
import { Columns, whole } from './html.tsx';
import { Meter } from './meter.tsx';
import { WORDS } from './words.ts';

export interface Bar {
  readonly name: string;
  readonly count: number;
}

/** Horizontal bars with names and counts, and a collapsed table with the same data. */
export function BarChart({
  title,
  bars,
  columns,
  tone = 'accent',
}: {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly columns: readonly [name: string, count: string];
  readonly tone?: Tone;
}) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <Fragment>
      <ul class="bars" aria-label={title}>
        {bars.map(({ name, count }) => (
          <li>
            <p class="usage">
              <span>{name}</span>
              <span class="quiet">{whole(count)}</span>
            </p>
            <Meter label={`${name}: ${whole(count)}`} of={most} parts={[{ tone, count }]} />
          </li>
        ))}
      </ul>
      <details class="behind">
        <summary>{WORDS.table}</summary>
        <table>
          <Columns of={columns} numbers={[1]} />
          <tbody>
            {bars.map(({ name, count }) => (
              <tr>
                <th scope="row">{name}</th>
                <td class="num">{whole(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Fragment>
  );
}
