import { pairAt } from './place.ts';

/** A style that puts something off the page, or a link to another host. Pictures in place of a text move the text alone (`text-indent`). */
const HIDDEN_OR_LINK =
  /((?<![\w-])(?:left|top|margin-left|margin-top)\s*:\s*-\d{3,})|href\s*=\s*\\?["']?https?:/gi;
const LINK = /href\s*=\s*\\?["']?https?:/gi;
const NEAR_CHARS = 400;
const LINKS_MIN = 2;
/** No shorter text has two links and a style. */
const CHARS_MIN = 28;

/** Whether a markup has links to other hosts in a hidden block. */
export const hidesLinks = (markup: string): boolean =>
  markup.length >= CHARS_MIN &&
  markup.includes('-') &&
  (markup.match(LINK)?.length ?? 0) >= LINKS_MIN &&
  pairAt(markup, HIDDEN_OR_LINK, NEAR_CHARS) !== undefined;
