/** @jsxImportSource hono/jsx */
import { WORDS } from './words.ts';

/** A text with a button that copies it. Without the script, the button is hidden. */
export const Copyable = ({ text }: { readonly text: string }) => (
  <span class="copied">
    <code>{text}</code>
    <button type="button" class="quiet small" data-copy hidden>
      {WORDS.copy}
    </button>
  </span>
);

/** Like `Copyable`, for several lines. */
export const CopyableText = ({ text }: { readonly text: string }) => (
  <div class="copied">
    <pre>{text}</pre>
    <button type="button" class="quiet small" data-copy hidden>
      {WORDS.copy}
    </button>
  </div>
);
