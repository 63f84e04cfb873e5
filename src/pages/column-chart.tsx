/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { Columns, whole } from './html.tsx';
import { WORDS } from './words.ts';

const WIDTH = 720;
const HEIGHT = 190;
/** Around the columns. */
const AT = { left: 40, right: WIDTH, top: 10, bottom: 166 };
const LABELS_MAX = 6;

export type Tone = 'accent' | 'critical' | 'high' | 'medium' | 'low' | 'info';

/** What is counted; the first is at the bottom. */
export interface Series {
  readonly name: string;
  readonly tone: Tone;
}

export interface Column {
  /** Below the axis, such as `14:00`. */
  readonly label: string;
  /** In the title and in the table, when that is more than the label. */
  readonly name?: string;
  /** In the order of the series. */
  readonly counts: readonly number[];
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** The smallest round step that reaches a count in four steps: 1, 2, 4 or 5 times a power of ten. */
export function roundStep(most: number): number {
  const least = Math.max(1, most) / 4;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 4, 5, 10].find((factor) => factor * power >= least) ?? 10;
  return Math.max(1, Math.ceil(step * power));
}

/** Stacked columns with an axis, a legend with totals, and the same as a table behind them. */
export function ColumnChart({
  title,
  series,
  columns,
  first,
}: {
  readonly title: string;
  readonly series: readonly Series[];
  readonly columns: readonly Column[];
  /** What the first column of the table is called. */
  readonly first: string;
}) {
  // A single event is no tall column.
  const step = roundStep(Math.max(4, ...columns.map(({ counts }) => sum(counts))));
  const y = (count: number) => AT.bottom - (count / (4 * step)) * (AT.bottom - AT.top);
  const pitch = (AT.right - AT.left) / Math.max(1, columns.length);
  const every = Math.ceil(columns.length / LABELS_MAX);
  return (
    <Fragment>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        {[0, 1, 2, 3, 4].map((line) => (
          <g>
            <line x1={AT.left} x2={AT.right} y1={y(line * step)} y2={y(line * step)} />
            <text x={AT.left - 6} y={y(line * step) + 4} text-anchor="end">
              {whole(line * step)}
            </text>
          </g>
        ))}
        {columns.map(({ label, name = label, counts }, index) => (
          <g>
            <title>{`${name}: ${series.map((each, at) => `${whole(counts[at] ?? 0)} ${each.name}`).join(', ')}`}</title>
            {series.map(({ tone }, at) => {
              const below = sum(counts.slice(0, at));
              const count = counts[at] ?? 0;
              return count === 0 ? null : (
                <rect
                  class={`t-${tone}`}
                  x={AT.left + index * pitch + pitch * 0.15}
                  width={pitch * 0.7}
                  y={y(below + count)}
                  height={y(below) - y(below + count)}
                />
              );
            })}
            {index % every === 0 ? (
              <text x={AT.left + (index + 0.5) * pitch} y={HEIGHT - 6} text-anchor="middle">
                {label}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
      <p class="legend">
        {series.map(({ name, tone }, at) => (
          <span>
            <i class={`t-${tone}`}></i>
            {`${name} ${whole(sum(columns.map(({ counts }) => counts[at] ?? 0)))}`}
          </span>
        ))}
      </p>
      <details class="behind">
        <summary>{WORDS.table}</summary>
        <table>
          <Columns of={[first, ...series.map(({ name }) => name)]} numbers={series.map((_, at) => at + 1)} />
          <tbody>
            {columns.toReversed().map(({ label, name = label, counts }) => (
              <tr>
                <th scope="row">{name}</th>
                {series.map((_, at) => (
                  <td class="num">{whole(counts[at] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Fragment>
  );
}
