/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { Columns, Scroll } from './html.tsx';

/** A table that is moved by itself where it is wider than the page. */
export const Table = (props: {
  readonly label: string;
  /** Their names, in the order of the cells. */
  readonly columns: Readonly<Record<string, string>>;
  readonly rows: readonly (readonly Child[])[];
  /** Which cell names its row. */
  readonly head?: number;
}) => (
  <Scroll label={props.label}>
    <table>
      <Columns of={Object.values(props.columns)} />
      <tbody>
        {props.rows.map((cells) => (
          <tr>
            {cells.map((cell, at) =>
              at === (props.head ?? 0) ? <th scope="row">{cell}</th> : <td>{cell}</td>,
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
