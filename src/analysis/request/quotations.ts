import { decodeUrl } from '../decode.ts';
import { withoutQuotedCode } from '../words.ts';
import { withoutExamples, withoutFrames } from './examples.ts';
import type { Field, FieldKind } from './field-list.ts';
import { isBody, isSetting, isWriting, nameOf, WRITING } from './writing.ts';

/** Event handlers of ordinary pages: calls of own functions, show, hide, or navigation within the site. */
export const ORDINARY_HANDLER =
  /\son(?:click|change|submit|load|error|mouse(?:over|out|enter|leave))=(["'])(?:\s{0,3}(?:return\s{1,3})?(?:(?!(?:alert|confirm|prompt|eval|atob|fetch|import|print|write|open|set\w+|function)\b)[a-z_]\w{0,30}\((?:this|event|[\d, ]|'[\w #/-]{0,40}'){0,6}\)|(?:this|document\.getElementById\('[\w-]{1,40}'\))\.(?:style\.\w{1,20}\s{0,3}=\s{0,3}(?:\d|'[\w #%.-]{0,20}')|classList\.\w{1,10}\('[\w-]{1,40}'\))|(?:window\.)?location(?:\.href)?\s{0,3}=\s{0,3}'\/(?!\/)[\w/-]{0,60}'|window\.open\('\/(?!\/)[\w/-]{0,60}'[\w,'= ]{0,60}\)|true|false);?){1,4}\s{0,3}\1/gi;
/** Metadata in the head of a page. */
const HEAD_ELEMENT =
  /<meta\s{1,5}(?:name=|charset=|property=|http-equiv=["']?content-type)[^<>]{0,500}>|<link\s{1,5}[^<>]{0,300}href=["']https:\/\/[^<>]{0,300}>/gi;
/** Elements of an editor's text, in which escaped tags are text. */
const TAG = /<(?:p|div|span|a|br|h[1-6]|ul|table)[\s>/]/i;

/** A tag that is shown as text. */
const ESCAPED_TAG = /&lt;[^&<>]{0,400}&gt;/g;
const QUOTED_WORDS_MIN = 2;
const ANY_WORD = /\p{L}{2,}/gu;
/** A fenced code block. */
const FENCE = /(?:^|\n)```\w{0,20}[ \r]{0,3}\n[\s\S]{1,8000}?\n```(?=\s|$)/;
const CODE_ELEMENT =
  /<(?:pre|code|syntaxhighlight|source|nowiki)\b[^<>]{0,200}>[^<]{2,8000}<\/(?:pre|code|syntaxhighlight|source|nowiki)>/i;

/** Whether a text for people marks its code, even if it contains little else. */
const isMarked = (field: Field, text: string, unquoted: string): boolean =>
  WRITING.test(nameOf(field)) &&
  (FENCE.test(text) ||
    /^\s*```[^`]+```\s*$/.test(text) ||
    CODE_ELEMENT.test(text) ||
    (/`/.test(text) && (unquoted.match(ANY_WORD)?.length ?? 0) >= QUOTED_WORDS_MIN));

/** Pictures, fonts and similar files as data URLs. */
const INLINE_FILE =
  /data:(?:image\/(?!svg)|font\/|audio\/|video\/|application\/(?:pdf|font|octet))[\w.+-]{0,40};base64,[A-Za-z0-9+/=_-]+/gi;
/** Players and maps that editors embed. */
const EMBED =
  /<iframe\s[^<>]{0,300}src=["']?https:\/\/(?:www\.)?(?:youtube(?:-nocookie)?\.com\/embed|player\.vimeo\.com|google\.\w{2,3}\/maps|maps\.google\.\w{2,3}|open\.spotify\.com\/embed|w\.soundcloud\.com|www\.openstreetmap\.org\/export)[^<>]{0,1000}>\s{0,20}<\/iframe>/gi;
const RELATIVE_ADDRESS =
  /(?:\]\(|\[img\]|url\(\s{0,5}["']?|(?:src|href)\s{0,5}=\s{0,5}["'])(?:\.\.?\/)+[\w./-]{1,300}\.(?:png|jpe?g|gif|svg|webp|woff2?|ttf|css|html?|md|pdf|mp4)\b/gi;

const IS_ENCODED: ReadonlySet<FieldKind> = new Set(['query', 'body']);
const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('+', '%2B');

/**
 * Removes quotations, ordinary handlers and inline files from a field's value, keeping its encoding. The rest is what a page
 * would interpret.
 */
export function withoutQuotations(field: Field): string {
  const framed = decodeUrl(IS_ENCODED.has(field.kind) ? field.value.replaceAll('+', ' ') : field.value);
  const frameless = withoutFrames(framed);
  if (frameless !== framed) return withoutQuotations({ ...field, value: escaped(frameless) });
  if (
    !isBody(field) ||
    !/`|HTTP\/|received(?::|%3a)|\n(?:\t| {4})|%0a(?:%09|\+{4}|(?:%20){4})|<(?:code|pre|syntax\w{0,9}|source|nowiki|kbd|samp|tt)\b|%60|%3c(?:code|pre|syntax\w{0,9}|source|nowiki|kbd|samp|tt)\b|iframe|data(?::|%3a)|\.\.(?:\/|%2f)|&lt;|%26lt|(?:\s|\+|%20)on\w|(?:<|%3c)(?:meta|link)/i.test(
      field.value,
    )
  )
    return field.value;
  const text = decodeUrl(field.value.replaceAll('+', ' '));
  const unquoted = withoutExamples(withoutQuotedCode(text));
  const isPage = TAG.test(text) && isSetting(nameOf(field));
  let left = isWriting(field, unquoted) || isMarked(field, text, unquoted) ? unquoted : text;
  if (isPage) left = left.replace(HEAD_ELEMENT, ' ');
  if (isPage || isWriting(field, unquoted)) left = left.replace(ESCAPED_TAG, ' ').replaceAll('&lt;', ' ');
  left = left
    .replace(ORDINARY_HANDLER, ' ')
    .replace(INLINE_FILE, ' ')
    .replace(EMBED, ' ')
    .replace(RELATIVE_ADDRESS, ' ');
  return left === text ? field.value : escaped(left);
}
