/** @jsxImportSource hono/jsx */

export interface Tab {
  readonly href: string;
  readonly words: string;
  readonly isCurrent: boolean;
}

/** Links to the parts of a page, each of which has its own URL. */
export const Tabs = ({ label, of }: { readonly label: string; readonly of: readonly Tab[] }) => (
  <nav class="tabs" aria-label={label}>
    {of.map(({ href, words, isCurrent }) => (
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {words}
      </a>
    ))}
  </nav>
);
