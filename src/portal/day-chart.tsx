/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { SEVERITIES } from '../domain/severity.ts';
import { Columns, whole } from '../pages/html.tsx';
import type { DayBuckets } from '../routes/fields/event-counts.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.site;
const WIDTH = 480;
const HEIGHT = 100;
const GAP = 3;
const WORST_FIRST = SEVERITIES.toReversed();

type Days = Static<typeof DayBuckets>;

/** Events by day, the grave ones on top, with the same by severity as a table behind them. */
export function DayChart({ days }: { readonly days: Days }) {
  const sums = days.map(({ info, low, medium, high, critical }) => ({
    light: info + low + medium,
    grave: high + critical,
  }));
  const most = Math.max(1, ...sums.map(({ light, grave }) => light + grave));
  const heightOf = (count: number) => (count * HEIGHT) / most;
  const step = WIDTH / Math.max(1, days.length);
  return (
    <div>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={WORDS.days}
      >
        <title>{WORDS.days}</title>
        <line class="line" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {sums.map(({ light, grave }, index) => {
          const [below, above] = [heightOf(light), heightOf(grave)];
          const place = { x: index * step + GAP / 2, width: step - GAP };
          return (
            <g>
              <rect class="valid" {...place} y={HEIGHT - below} height={below} />
              <rect class="invalid" {...place} y={HEIGHT - below - above} height={above} />
            </g>
          );
        })}
      </svg>
      <details>
        <summary>{TEXTS.table}</summary>
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
      </details>
    </div>
  );
}
