/** @jsxImportSource hono/jsx */
import { Columns, whole } from './html.tsx';
import { WORDS } from './words.ts';

const WIDTH = 320;
const ROW = 30;
const BAR = 8;

export interface Bar {
  readonly name: string;
  readonly count: number;
}

/** Bars below each other, each with its name, and the same as a table behind them. */
export function BarChart({
  title,
  bars,
  columns,
}: {
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly columns: readonly [name: string, count: string];
}) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <div>
      <svg
        class="bars"
        viewBox={`0 0 ${WIDTH} ${Math.max(1, bars.length) * ROW}`}
        role="img"
        aria-label={title}
      >
        <title>{title}</title>
        {bars.map(({ name, count }, index) => (
          <g>
            <text x="0" y={index * ROW + ROW / 2}>
              {`${name}: ${whole(count)}`}
            </text>
            <rect
              class="valid"
              x="0"
              y={(index + 1) * ROW - BAR - 2}
              height={BAR}
              width={(count * WIDTH) / most}
            />
          </g>
        ))}
      </svg>
      <details>
        <summary>{WORDS.table}</summary>
        <table>
          <Columns of={columns} />
          <tbody>
            {bars.map(({ name, count }) => (
              <tr>
                <th scope="row">{name}</th>
                <td>{whole(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}
