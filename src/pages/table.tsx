/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { Columns, Scroll } from './html.tsx';

/** A table that is moved by itself where it is wider than the page. */
export const Table = (props: {
  readonly label: string;
  /** Their names, in the order of the cells. */
  readonly columns: readonly string[];
  /** Of plain rows, their cells. */
  readonly rows?: readonly (readonly Child[])[];
  /** Which cell names its row, the first one unless told otherwise; -1 = none does. */
  readonly head?: number;
  /** Rows that are more than cells. */
  readonly children?: Child;
}) => (
  <Scroll label={props.label}>
    <table>
      <Columns of={props.columns} />
      <tbody>
        {props.rows?.map((cells) => (
          <tr>
            {cells.map((cell, at) =>
              at === (props.head ?? 0) ? <th scope="row">{cell}</th> : <td>{cell}</td>,
            )}
          </tr>
        ))}
        {props.children}
      </tbody>
    </table>
  </Scroll>
);

/** A table of its own on a page, or what is said where there are no rows. */
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
    {rows.length === 0 ? (
      <p class="quiet">{none}</p>
    ) : (
      <Table label={label} columns={columns} rows={rows} head={head} />
    )}
  </section>
);
