/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { Columns, Scroll } from './html.tsx';

const NUMBER = /^\d[\d,]*(?:\.\d+)?(?: ?%| [KMG]iB)?$/;
const isNumber = (cell: Child): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && NUMBER.test(cell));

/** A table that scrolls if it is wider than the page. On phones, its rows are shown as cards. */
export const Table = (props: {
  readonly label: string;
  /** Headings, in the order of the cells. */
  readonly columns: readonly string[];
  /** The cells of each row. Columns that contain only numbers are right-aligned. */
  readonly rows?: readonly (readonly Child[])[];
  /** Indexes of the columns with numbers, for rows given as `children`. */
  readonly numbers?: readonly number[];
  /** Index of the cell that is the row's header, 0 by default; -1 = none. */
  readonly head?: number;
  /** Rows as elements, instead of `rows`. */
  readonly children?: Child;
  /** Shown instead of a table without rows. */
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

/** A table in a card with a heading. */
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
  /** Content above the table. */
  readonly children?: Child;
}) => (
  <section class="card wide">
    <h2>{label}</h2>
    {children}
    <Table label={label} columns={columns} rows={rows} head={head} none={<p class="quiet">{none}</p>} />
  </section>
);
