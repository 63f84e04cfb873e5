/** @jsxImportSource hono/jsx */
import { WORDS } from './words.ts';

/** A text that is meant to be copied; the button needs a script, and appears with it. */
export const Copyable = ({ text }: { readonly text: string }) => (
  <span class="copied">
    <code>{text}</code>
    <button type="button" class="quiet small" data-copy hidden>
      {WORDS.copy}
    </button>
  </span>
);

/** The same for several lines. */
export const CopyableText = ({ text }: { readonly text: string }) => (
  <div class="copied">
    <pre>{text}</pre>
    <button type="button" class="quiet small" data-copy hidden>
      {WORDS.copy}
    </button>
  </div>
);
