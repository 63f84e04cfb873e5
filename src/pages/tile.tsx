/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Tone } from './column-chart.tsx';

const WIDTH = 110;
const HEIGHT = 34;
const ROOM = 5;

/** The course of a number, without an axis; what it means stands beside it. */
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

/** A number with its name, what it is made of, and its course. */
export const Tile = (props: {
  readonly title: string;
  readonly value: Child;
  /** What it is a part of, such as `of 399`. */
  readonly of?: string;
  readonly sub?: Child;
  readonly course?: readonly number[];
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
      {props.course === undefined ? null : <Sparkline counts={props.course} tone={props.tone ?? 'accent'} />}
    </div>
    <p class="quiet">{props.sub}</p>
    {props.children}
  </section>
);
