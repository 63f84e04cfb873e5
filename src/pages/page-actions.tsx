/** @jsxImportSource hono/jsx */

export interface Action {
  readonly href: string;
  readonly words: string;
  /** Whether it is irreversible. */
  readonly isFinal?: boolean;
}

/** The main actions of a page as buttons, and further ones in a menu. */
export const PageActions = ({
  main,
  more,
  label,
}: {
  readonly main: readonly Action[];
  readonly more: readonly Action[];
  /** Accessible name of the menu. */
  readonly label: string;
}) => [
  ...main.map(({ href, words }) => (
    <a class="button quiet" href={href}>
      {words}
    </a>
  )),
  ...(more.length === 0
    ? []
    : [
        <details class="more">
          <summary aria-label={label}>⋯</summary>
          <div>
            {more.map(({ href, words, isFinal }) => (
              <a class={isFinal ? 'final' : undefined} href={href}>
                {words}
              </a>
            ))}
          </div>
        </details>,
      ]),
];
