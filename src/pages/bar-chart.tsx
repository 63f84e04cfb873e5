/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { Tone } from './column-chart.tsx';
import { Columns, whole } from './html.tsx';
import { WORDS } from './words.ts';

const WIDTH = 320;
const ROW = 36;
const BAR = 8;

export interface Bar {
  readonly name: string;
  readonly count: number;
}

/** Horizontal bars, each with its name and count, and the same as a table behind them. */
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
      <svg
        class="bars"
        viewBox={`0 0 ${WIDTH} ${Math.max(1, bars.length) * ROW}`}
        role="img"
        aria-label={title}
      >
        {bars.map(({ name, count }, index) => {
          const place = { x: 0, y: index * ROW + ROW - BAR - 8, height: BAR, rx: BAR / 2 };
          return (
            <g>
              <title>{`${name}: ${whole(count)}`}</title>
              <text x="0" y={index * ROW + 14}>
                {name}
              </text>
              <text x={WIDTH} y={index * ROW + 14} text-anchor="end">
                {whole(count)}
              </text>
              <rect class="track" {...place} width={WIDTH} />
              <rect class={`t-${tone}`} {...place} width={(count * WIDTH) / most} />
            </g>
          );
        })}
      </svg>
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
