import { pairAt } from './place.ts';

/** A style that puts something off the page, or a link to another host. */
const HIDDEN_OR_LINK =
  /((?<![\w-])(?:left|top|text-indent|margin-left|margin-top)\s*:\s*-\d{3,})|href\s*=\s*\\?["']?https?:/gi;
const LINK = /href\s*=\s*\\?["']?https?:/gi;
const NEAR_CHARS = 400;
const LINKS_MIN = 2;

/** Whether a markup has links to other hosts in a block that nobody sees. */
export const hidesLinks = (markup: string): boolean =>
  pairAt(markup, HIDDEN_OR_LINK, NEAR_CHARS) !== undefined && (markup.match(LINK)?.length ?? 0) >= LINKS_MIN;
