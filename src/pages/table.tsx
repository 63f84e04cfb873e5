/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { Columns, Scroll } from './html.tsx';

const NUMBER = /^\d[\d,]*(?:\.\d+)?(?: ?%| [KMG]iB)?$/;
const isNumber = (cell: Child): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && NUMBER.test(cell));

/** A table that scrolls where it is wider than the page, and shows its rows as cards on a telephone. */
export const Table = (props: {
  readonly label: string;
  /** Their names, in the order of the cells. */
  readonly columns: readonly string[];
  /** Of plain rows, their cells. A column of numbers is aligned to the right. */
  readonly rows?: readonly (readonly Child[])[];
  /** Columns of numbers, where rows are more than cells. */
  readonly numbers?: readonly number[];
  /** Which cell names its row, the first one unless told otherwise; -1 = none does. */
  readonly head?: number;
  /** Rows that are more than cells. */
  readonly children?: Child;
  /** Shown in place of a table without rows. */
  readonly none?: Child;
}) => {
  const { label, columns, rows = [], head = 0, children, none } = props;
  if (none !== undefined && rows.length + [children ?? []].flat().length === 0) return none;
  const numbers =
    props.numbers ??
    columns.flatMap((_, at) =>
      at !== head && rows.length > 0 && rows.every((cells) => isNumber(cells[at])) ? at : [],
    );
  return (
    <Scroll label={label}>
      <table>
        <Columns of={columns} numbers={numbers} />
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, at) =>
                at === head ? (
                  <th scope="row">{cell}</th>
                ) : (
                  <td class={numbers.includes(at) ? 'num' : undefined} data-label={columns[at]}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
          {children}
        </tbody>
      </table>
    </Scroll>
  );
};

/** A table in a section of its own. */
export const TableCard = ({
  label,
  none,
  columns,
  rows,
  head = 0,
  children,
}: {
  readonly label: string;
  readonly none: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Child[])[];
  readonly head?: number;
  /** Above it. */
  readonly children?: Child;
}) => (
  <section class="card wide">
    <h2>{label}</h2>
    {children}
    <Table label={label} columns={columns} rows={rows} head={head} none={<p class="quiet">{none}</p>} />
  </section>
);
