/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';

/** The main status of a page, with the buttons that change it. */
export const VerdictBar = (props: {
  readonly label: string;
  readonly tone: 'good' | 'warn' | 'bad';
  readonly lead: string;
  readonly detail?: Child;
  /** Buttons. */
  readonly children?: Child;
}) => (
  <section class={`notice verdict ${props.tone}`} aria-label={props.label}>
    <span class={`dot ${props.tone}`}></span>
    <p>
      <strong>{props.lead}</strong> {props.detail}
    </p>
    {props.children ? <div class="acts">{props.children}</div> : null}
  </section>
);
