import { headerOf, type SiteResponse } from './visit.ts';

const META_TAG = /<meta\b[^<>]{0,4000}>/gi;
const MARKUP = /<[a-z!]/i;

const typeOf = (response: SiteResponse) => headerOf(response, 'content-type') ?? '';

/** Whether a browser would show an answer as a page; without a type it may guess so. */
export const isPage = (response: SiteResponse): boolean =>
  typeOf(response) === '' || /\bx?html\b/i.test(typeOf(response));

/** Whether an answer is a page by what stands in it: a server may name any type for a file that it does not know. */
export const isMarkup = (response: SiteResponse): boolean =>
  /^\s*</.test(response.body) || (/\bhtml\b/i.test(typeOf(response)) && MARKUP.test(response.body));

/**
 * The meta tags of a page, by their content.
 *
 * @param attribute what names them, `name` or `http-equiv`
 * @param value in lower case
 */
export const metaContents = (
  { body }: SiteResponse,
  attribute: 'name' | 'http-equiv',
  value: string,
): string[] =>
  (body.match(META_TAG) ?? [])
    .filter((tag) => attributeOf(tag, attribute)?.trim().toLowerCase() === value)
    .map((tag) => attributeOf(tag, 'content') ?? '');

const ATTRIBUTES = /(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

const attributeOf = (tag: string, name: string): string | undefined =>
  [...tag.matchAll(ATTRIBUTES)]
    .map(([, found = '', ...values]) => [found.toLowerCase(), values.find((text) => text !== undefined)])
    .find(([found]) => found === name)?.[1];
