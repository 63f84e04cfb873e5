/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';

/** A link that looks like a button. */
export interface ButtonLink {
  readonly href: string;
  readonly words: string;
}

/** An entry of a to-do list: a dot for its urgency, its text, and at most one button. */
export const AttentionItem = (props: {
  readonly is: 'bad' | 'warn' | 'info' | 'good';
  readonly button?: ButtonLink | undefined;
  readonly children: Child;
}) => (
  <li>
    <span class={`dot ${props.is}`}></span>
    <span>{props.children}</span>
    {props.button === undefined ? null : (
      <a class="button quiet small" href={props.button.href}>
        {props.button.words}
      </a>
    )}
  </li>
);
