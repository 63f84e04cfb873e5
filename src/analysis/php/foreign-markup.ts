import type { PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

const SCRIPT = /<script\b[^>]{0,200}\bsrc\s{0,4}=\s{0,4}\\?["']?(?:https?:)?\/\/([\w.-]{4,255})/i;
const LINK = /<a\s[^>]{0,100}\bhref\s{0,4}=\s{0,4}\\?["']?https?:\/\/([\w.-]{4,255})/gi;
const LINKS_MIN = 2;
const AWAY = /^https?:\/\/([\w.-]{4,255})/i;
/** Well-known analytics, embedding and CDN hosts, which plugins often disable for administrators. */
const KNOWN =
  /(?:^|\.)(?:google(?:tagmanager|-analytics|adservices|syndication|apis)?\.(?:com|net)|gstatic\.com|doubleclick\.net|facebook\.(?:com|net)|hotjar\.com|clarity\.ms|matomo\.cloud|plausible\.io|cloudflare(?:insights)?\.com|jsdelivr\.net|unpkg\.com|wp\.com|w\.org|yandex\.ru|bing\.com|pinterest\.com|tiktok\.com|linkedin\.com|licdn\.com|twitter\.com|stripe\.com|paypal\.com|addthis\.com|intercom\.io|hs-scripts\.com|crazyegg\.com|mxpnl\.com|segment\.com|usefathom\.com|statcounter\.com)$/i;
const ASKS_WHO = new Set(['current_user_can', 'is_user_logged_in', 'is_super_admin', 'is_admin']);
const REDIRECTS = new Set(['wp_redirect', 'header']);
const ROBOTS = /google ?bot|bing ?bot|yandex(?:bot)?|baiduspider|\bslurp\b|duckduckbot/i;
const TEXT_CHARS_MAX = 2_000;
/** Maximum distance in tokens between a role check and its `return`. */
const ENDS_TOKENS_MAX = 40;

/** Whether a text contains a script or several links of an unknown host. */
function isForeign(text: string): boolean {
  const script = SCRIPT.exec(text)?.[1];
  if (script !== undefined) return !KNOWN.test(script);
  return (text.match(LINK)?.length ?? 0) >= LINKS_MIN;
}

/** Whether a role check ends the function or block for that role. */
const endsFor = (tokens: readonly PhpToken[], at: number): boolean =>
  tokens[at - 1]?.text === '!' ||
  tokens.slice(at, at + ENDS_TOKENS_MAX).some(({ kind, text }) => kind === 'name' && text === 'return');

/** Notes foreign content that a plugin adds to pages, and the visitors who get it. */
export function notePages(walk: Walk, tokens: readonly PhpToken[], textsAt: readonly number[]): void {
  const isPlugin = walk.facts.has('hooksPages');
  for (const index of textsAt) {
    const { text, at } = tokens[index] as PhpToken;
    const start = text.slice(0, TEXT_CHARS_MAX);
    if (text === 'is_dir') walk.note('picksFolders', at);
    if (start.includes('<') && isForeign(start)) walk.note('printsForeign', at);
    if (walk.facts.has('readsVisitor') && text.length < TEXT_CHARS_MAX && ROBOTS.test(text))
      walk.note('asksForRobots', at);
    const host = isPlugin && REDIRECTS.has(tokens[index - 2]?.text ?? '') ? AWAY.exec(text)?.[1] : undefined;
    if (host !== undefined && !KNOWN.test(host)) walk.note('printsForeign', at);
  }
  if (!isPlugin) return;
  const asked = tokens.findIndex(
    ({ kind, text }, at) => kind === 'name' && ASKS_WHO.has(text) && endsFor(tokens, at),
  );
  if (asked >= 0) walk.note('sparesAdministrators', (tokens[asked] as PhpToken).at);
}
