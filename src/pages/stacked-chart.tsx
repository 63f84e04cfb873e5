/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { WORDS } from './words.ts';

const WIDTH = 480;
const HEIGHT = 100;
const GAP = 3;

/** Bars beside each other, what is bad on top, with the same as a table behind them. */
export function StackedChart({
  title,
  bars,
  children,
}: {
  readonly title: string;
  readonly bars: readonly { readonly good: number; readonly bad: number }[];
  /** The table. */
  readonly children?: Child;
}) {
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad));
  const step = WIDTH / Math.max(1, bars.length);
  const heightOf = (count: number) => (count * HEIGHT) / most;
  return (
    <div>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={title}
      >
        <title>{title}</title>
        <line class="line" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {bars.map((bar, index) => {
          const [good, bad] = [heightOf(bar.good), heightOf(bar.bad)];
          const place = { x: index * step + GAP / 2, width: step - GAP };
          return (
            <g>
              <rect class="valid" {...place} y={HEIGHT - good} height={good} />
              <rect class="invalid" {...place} y={HEIGHT - good - bad} height={bad} />
            </g>
          );
        })}
      </svg>
      <details>
        <summary>{WORDS.table}</summary>
        {children}
      </details>
    </div>
  );
}
