const HIDDEN_STYLE =
  /\bstyle\s{0,3}=[^<>]{0,120}?(?:display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden|font-size\s{0,5}:\s{0,5}0|(?:left|top|text-indent)\s{0,5}:\s{0,5}-\d{3,}|opacity\s{0,5}:\s{0,5}0(?![.\d])|height\s{0,5}:\s{0,5}[01]px)/i;
/** A tag with slash, name and attributes, or a URL outside of a tag. */
const TAG_OR_LINK = /<(\/?)([a-z][a-z0-9]{0,20})\b([^<>]{0,600})|https?:/gi;
/** Links of hidden menus lead to the same site. */
const LINK_IN_TAG = /https?:|\bhref\s{0,3}=\s{0,3}["']?\/\//i;
/** Void elements, such as a tracking pixel in a mail. */
const VOID_ELEMENTS: ReadonlySet<string> = new Set(['img', 'br', 'hr', 'input', 'meta', 'link', 'source']);
const NEAR_CHARS = 800;

/** Offset of a hidden element that is or contains a link; undefined if there is none. Linear. */
export function hiddenLinkAt(text: string): number | undefined {
  let name: string | undefined;
  let depth = 0;
  let hiddenAt = 0;
  for (const { 1: slash, 2: tag, 3: attributes = '', index } of text.matchAll(TAG_OR_LINK)) {
    const lower = tag?.toLowerCase();
    const isNear = name !== undefined && index - hiddenAt <= NEAR_CHARS;
    if (lower === undefined) {
      if (isNear) return hiddenAt;
    } else if (slash === '/') {
      if (lower === name && --depth === 0) name = undefined;
    } else {
      if (!isNear && !VOID_ELEMENTS.has(lower) && HIDDEN_STYLE.test(attributes)) {
        name = lower;
        depth = 0;
        hiddenAt = index;
      }
      if (name === undefined) continue;
      if (lower === 'a' && LINK_IN_TAG.test(attributes) && index - hiddenAt <= NEAR_CHARS) return hiddenAt;
      if (lower === name) depth++;
    }
  }
  return undefined;
}
