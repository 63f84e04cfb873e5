/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Tone } from './column-chart.tsx';

const WIDTH = 110;
const HEIGHT = 34;
const ROOM = 5;

/** A trend line without an axis. Hidden from screen readers, because the number is next to it. */
const Sparkline = ({ counts, tone }: { readonly counts: readonly number[]; readonly tone: Tone }) => {
  const most = Math.max(1, ...counts);
  const points = counts.map((count, index) => {
    const x = (index * WIDTH) / Math.max(1, counts.length - 1);
    return `${x.toFixed(1)},${(HEIGHT - 1 - (count / most) * (HEIGHT - ROOM)).toFixed(1)}`;
  });
  return (
    <svg class={`spark s-${tone}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
};

/** A key figure with a title, a subtitle and a trend line. */
export const Tile = (props: {
  readonly title: string;
  readonly value: Child;
  /** The total, such as `of 399`. */
  readonly of?: string;
  readonly sub?: Child;
  readonly trend?: readonly number[];
  readonly tone?: Tone;
  readonly children?: Child;
}) => (
  <section class="card c3">
    <h2 class="quiet">{props.title}</h2>
    <div class="tile">
      <p class="figure">
        {props.value}
        {props.of === undefined ? null : <small>{` ${props.of}`}</small>}
      </p>
      {props.trend === undefined ? null : <Sparkline counts={props.trend} tone={props.tone ?? 'accent'} />}
    </div>
    <p class="quiet">{props.sub}</p>
    {props.children}
  </section>
);
