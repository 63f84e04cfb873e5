/** @jsxImportSource hono/jsx */

/**
 * A file input that reads the file into another field of its form. Hidden without the script. Nothing is sent until the form is
 * submitted.
 */
export const FileInto = (props: {
  readonly field: string;
  readonly bytesMax: number;
  readonly label: string;
  /** Shown if the file is too large or cannot be read. */
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
