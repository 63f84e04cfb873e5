/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { Columns, whole } from './html.tsx';
import { WORDS } from './words.ts';

/** In CSS pixels, as in charts.css. Widths are percentages, so that texts are not scaled. */
const HEIGHT = 190;
/** Top and bottom of the columns, in pixels. */
const AT = { top: 8, bottom: 164 };
const LABELS_MAX = 6;
const LINES = [0, 1, 2, 3, 4];

export type Tone = 'accent' | 'critical' | 'high' | 'medium' | 'low' | 'info';

/** A part of each column. The first series is at the bottom. */
export interface Series {
  readonly name: string;
  readonly tone: Tone;
}

export interface Column {
  /** Label below the axis, such as `14:00`. */
  readonly label: string;
  /** Name in the tooltip and the table, if longer than the label. */
  readonly name?: string;
  /** Counts in the order of the series. */
  readonly counts: readonly number[];
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** Returns the smallest step for an axis with four steps up to a count: 1, 2, 4 or 5 times a power of ten. */
export function roundStep(most: number): number {
  const least = Math.max(1, most) / 4;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 4, 5, 10].find((factor) => factor * power >= least) ?? 10;
  return Math.max(1, Math.ceil(step * power));
}

/** Stacked columns with an axis, a legend with totals, and a collapsed table with the same data. */
export function ColumnChart({
  title,
  series,
  columns,
  first,
}: {
  readonly title: string;
  readonly series: readonly Series[];
  readonly columns: readonly Column[];
  /** Heading of the first column of the table. */
  readonly first: string;
}) {
  // At least 4, so that a single event is not as tall as the chart.
  const step = roundStep(Math.max(4, ...columns.map(({ counts }) => sum(counts))));
  const y = (count: number) => AT.bottom - (count / (4 * step)) * (AT.bottom - AT.top);
  const pitch = 100 / Math.max(1, columns.length);
  const share = (percent: number) => `${percent.toFixed(2)}%`;
  const every = Math.ceil(columns.length / LABELS_MAX);
  return (
    <Fragment>
      <div class="chart" role="img" aria-label={title}>
        <div>
          {LINES.toReversed().map((line) => (
            <span>{whole(line * step)}</span>
          ))}
        </div>
        <svg aria-hidden="true">
          {LINES.map((line) => (
            <line x2="100%" y1={y(line * step)} y2={y(line * step)} />
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
                    x={share((index + 0.15) * pitch)}
                    width={share(pitch * 0.7)}
                    y={y(below + count).toFixed(1)}
                    height={(y(below) - y(below + count)).toFixed(1)}
                  />
                );
              })}
              {index % every === 0 ? (
                <text x={share((index + 0.5) * pitch)} y={HEIGHT - 6} text-anchor="middle">
                  {label}
                </text>
              ) : null}
            </g>
          ))}
        </svg>
      </div>
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
