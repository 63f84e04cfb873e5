/** @jsxImportSource hono/jsx */

/** Reads a chosen file into a field of its form; needs a script, and appears with it. Nothing is sent before the form is. */
export const FileInto = (props: {
  readonly field: string;
  readonly bytesMax: number;
  readonly label: string;
  /** Shown for a file that is too large, or no text. */
  readonly refused: string;
}) => (
  <div data-into={props.field} data-max={String(props.bytesMax)} hidden>
    <label>
      {props.label}
      <input type="file" />
    </label>
    <p class="notice bad" role="alert" hidden>
      {props.refused}
    </p>
  </div>
);
