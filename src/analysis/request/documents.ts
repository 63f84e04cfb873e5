import type { FieldKind, Fields } from './field-list.ts';

const JSON_LINES_MAX = 400;
/** How deep documents may stand in values of others. */
const DEPTH_MAX = 2;

/** Adds documents that stand in a line each, as log collectors take them; false when the first is none. */
export function addJsonLines(fields: Fields, body: string): boolean {
  const [first = '', ...others] = body.split('\n');
  if (!first.startsWith('{') || !addJson(fields, first)) return false;
  const more = others.slice(0, JSON_LINES_MAX).filter((line) => !addJson(fields, line));
  fields.add('whole', [...more, ...others.slice(JSON_LINES_MAX)].join('\n'), 'the body');
  return true;
}

/** Which part of a list is wanted, and by what: no sign-in asks so. */
const PAGING = /^(?:sort|limit|skip|offset|page|per_?page|projection|fields)$/i;
const FILTER = /^(?:filter|where|selector|query|match|find)$/i;

/** A document without a search by conditions, which some interfaces take in the notation of a document database. */
function withoutFilters(document: object, text: string): string {
  const isListing = Object.keys(document).some((name) => PAGING.test(name));
  const names = Object.keys(document).filter(
    (name) => name === 'filters' || (isListing && FILTER.test(name)),
  );
  if (names.length === 0) return text;
  const isIn = ([name]: readonly [string, unknown]) => names.includes(name);
  const filters = JSON.stringify(Object.fromEntries(Object.entries(document).filter(isIn)));
  if (/pass|token|secret|"\$(?:where|func\w*|expr)"/i.test(filters)) return text;
  if (!isListing && /"\$(?:regex|ne|exists)"/.test(filters)) return text;
  return JSON.stringify(Object.fromEntries(Object.entries(document).filter((entry) => !isIn(entry))));
}

const XML = /^\s*<(?:\?xml\s|(?:\w{1,20}:)?(?:Envelope|methodCall)\b)/;
/** What parts a text for a parser that puts it together again, and what a server puts in. */
const PARTED_XML = /<!--#|<!\[CDATA\[[^\]]{0,3}\]\]>/;
/** Elements of XML-RPC that are types; the name stands in an element before. */
const XML_TYPE = /^(?:value|string|base64)$/;

const behindComment = (part: string): string => part.slice(part.indexOf('-->') + 1).replace(/^->/, '');

/** Adds the texts of an XML document under the names of their elements, and its tags as one value; false when it is none. */
export function addXml(fields: Fields, text: string): boolean {
  if (!XML.test(text) || PARTED_XML.test(text)) return false;
  const [first = '', ...others] = text.split('<!--');
  const body = first + others.map(behindComment).join('');
  const tags: string[] = [];
  const texts: { readonly value: string; readonly name: string }[] = [];
  let [element, member, at] = ['', '', 0];
  while (at < body.length) {
    const next = body.indexOf('<', at);
    const open = next < 0 ? body.length : next;
    const isData = body.startsWith('<![CDATA[', open);
    const close = body.indexOf(isData ? ']]>' : '>', open);
    const value = body.slice(at, open).trim();
    if (value !== '') texts.push({ value, name: XML_TYPE.test(element) ? member : element });
    if (element === 'name' && value !== '') member = value;
    if (isData && close >= 0) texts.push({ value: body.slice(open + 9, close), name: element });
    else tags.push(body.slice(open, close < 0 ? body.length : close + 1));
    if (!isData) element = /^<(?:[\w.-]{1,40}:)?([\w.-]{1,60})/.exec(tags.at(-1) ?? '')?.[1] ?? element;
    if (close < 0) break;
    at = close + (isData ? 3 : 1);
  }
  fields.add('whole', tags.join(''), 'the body');
  for (const { value, name } of texts)
    fields.add('body', value.replaceAll('%', '%25').replaceAll('+', '%2B'), 'body field', name);
  return true;
}

/** Adds the names and values of a JSON document; false when it is none. */
export function addJson(
  fields: Fields,
  text: string,
  kind: FieldKind = 'body',
  label = 'body field',
  depth = 0,
): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  let document: object;
  try {
    document = JSON.parse(text) as object;
  } catch {
    return false;
  }
  const waiting: { readonly value: unknown; readonly name: string }[] = [{ value: document, name: '' }];
  // Also as a whole: some attacks lie in how names and values stand together.
  fields.add('document', withoutFilters(document, text), kind === 'body' ? 'the body' : label);
  while (waiting.length > 0) {
    const { value, name } = waiting.pop() as (typeof waiting)[number];
    if (typeof value === 'string') {
      const isNested = depth < DEPTH_MAX && /^[{[]/.test(value) && fields.openNested();
      if (isNested && addJson(fields, value, kind, label, depth + 1)) continue;
      fields.add(kind, value.replaceAll('%', '%25').replaceAll('+', '%2B'), label, name);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) fields.add('name', key, `name of ${label}`);
        waiting.push({ value: inner, name: Array.isArray(value) ? name : key });
      }
    }
  }
  return true;
}
