const HIDDEN_STYLE =
  /\bstyle\s{0,3}=[^<>]{0,120}?(?:display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden|font-size\s{0,5}:\s{0,5}0|(?:left|top|text-indent)\s{0,5}:\s{0,5}-\d{3,}|opacity\s{0,5}:\s{0,5}0(?![.\d])|height\s{0,5}:\s{0,5}[01]px)/i;
/** A tag with its slash, name and attributes, or a link outside of one. */
const TAG_OR_LINK = /<(\/?)([a-z][a-z0-9]{0,20})\b([^<>]{0,600})|https?:/gi;
/** Menus of a page that open later lead to its own pages. */
const LINK_IN_TAG = /https?:|\bhref\s{0,3}=\s{0,3}["']?\/\//i;
/** Elements that hold nothing, such as a picture that counts who opened a mail. */
const HOLDS_NOTHING: ReadonlySet<string> = new Set(['img', 'br', 'hr', 'input', 'meta', 'link', 'source']);
const NEAR_CHARS = 800;

/** Where an element begins that readers do not see and that has a link in it, or is one; undefined without. Linear. */
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
      if (!isNear && !HOLDS_NOTHING.has(lower) && HIDDEN_STYLE.test(attributes)) {
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
