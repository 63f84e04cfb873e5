/** @jsxImportSource hono/jsx */

export interface Tab {
  readonly href: string;
  readonly words: string;
  readonly isCurrent: boolean;
}

/** Parts of a page as links, each with an address of its own. */
export const Tabs = ({ label, of }: { readonly label: string; readonly of: readonly Tab[] }) => (
  <nav class="tabs" aria-label={label}>
    {of.map(({ href, words, isCurrent }) => (
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {words}
      </a>
    ))}
  </nav>
);
