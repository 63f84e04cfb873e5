import type { FieldKind, Fields } from './field-list.ts';

const JSON_LINES_MAX = 400;
/** Maximum nesting of documents in values. */
const DEPTH_MAX = 2;

/** Adds one document per line, as sent to log collectors; false if the first line is not one. */
export function addJsonLines(fields: Fields, body: string): boolean {
  const [first = '', ...others] = body.split('\n');
  if (!first.startsWith('{') || !addJson(fields, first)) return false;
  const more = others.slice(0, JSON_LINES_MAX).filter((line) => !addJson(fields, line));
  fields.add('whole', [...more, ...others.slice(JSON_LINES_MAX)].join('\n'), 'the body');
  return true;
}

/** Parameters of lists, which sign-ins do not have. */
const PAGING = /^(?:sort|limit|skip|offset|page|per_?page|projection|fields)$/i;
const FILTER = /^(?:filter|where|selector|query|match|find)$/i;

/** Removes search conditions from a document, because some APIs use the notation of a document database for them. */
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
/** Markup that splits a text until a parser joins it again, or that a server replaces. */
const PARTED_XML = /<!--#|<!\[CDATA\[[^\]]{0,3}\]\]>/;
/** Types in XML-RPC; the field name is in a previous element. */
const XML_TYPE = /^(?:value|string|base64)$/;

const afterComment = (part: string): string => part.slice(part.indexOf('-->') + 1).replace(/^->/, '');

/** Adds the texts of an XML document by element name, and all tags as one value; false if it is not XML. */
export function addXml(fields: Fields, text: string): boolean {
  if (!XML.test(text) || PARTED_XML.test(text)) return false;
  const [first = '', ...others] = text.split('<!--');
  const body = first + others.map(afterComment).join('');
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

/** Adds the names and values of a JSON document; false if it is not JSON. */
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
  // The whole document is added as well, because some attacks are in its structure.
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
