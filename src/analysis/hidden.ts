import { pairAt } from './place.ts';

/** An off-screen position, or a link to another host. `text-indent` is excluded: image replacement moves only the text. */
const HIDDEN_OR_LINK =
  /((?<![\w-])(?:left|top|margin-left|margin-top)\s*:\s*-\d{3,})|href\s*=\s*\\?["']?https?:/gi;
const LINK = /href\s*=\s*\\?["']?https?:/gi;
const NEAR_CHARS = 400;
const LINKS_MIN = 2;
/** Minimum length of a text with two links and a style. */
const CHARS_MIN = 28;

/** Whether markup has links to other hosts in a hidden block. */
export const hidesLinks = (markup: string): boolean =>
  markup.length >= CHARS_MIN &&
  markup.includes('-') &&
  (markup.match(LINK)?.length ?? 0) >= LINKS_MIN &&
  pairAt(markup, HIDDEN_OR_LINK, NEAR_CHARS) !== undefined;
