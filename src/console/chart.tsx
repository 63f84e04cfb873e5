/** @jsxImportSource hono/jsx */
import type { HourCounts } from '../lib/hourly-counts.ts';
import { Time } from '../pages/html.tsx';
import { TEXTS } from './texts.ts';

const WIDTH = 480;
const HEIGHT = 100;
const GAP = 3;

/** What license/verify has answered, by the hour. */
export type Hours = readonly HourCounts<'valid' | 'invalid'>[];

/** Bars by the hour, with the same as a table behind them. */
export function VerificationChart({ hours }: { readonly hours: Hours }) {
  const { verify, valid, invalid, hour } = TEXTS.now;
  const most = Math.max(1, ...hours.map(({ counts }) => (counts.valid ?? 0) + (counts.invalid ?? 0)));
  const step = WIDTH / hours.length;
  const heightOf = (count: number) => (count * HEIGHT) / most;
  return (
    <div>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={verify}
      >
        <title>{verify}</title>
        <line class="line" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {hours.map(({ counts }, index) => {
          const [good, bad] = [heightOf(counts.valid ?? 0), heightOf(counts.invalid ?? 0)];
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
        <summary>{TEXTS.table}</summary>
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
      </details>
    </div>
  );
}
