import { decodeUrl } from '../decode.ts';
import { headersOf, isDull } from './head.ts';
import { fileNamesIn, partsOf } from './multipart.ts';

/** Where in a request a value stands. */
export type FieldKind =
  | 'path'
  | 'query'
  | 'name'
  | 'header'
  | 'agent'
  /** What the address of the page before has behind its question mark. */
  | 'referer'
  | 'cookie'
  | 'body'
  | 'upload'
  | 'whole'
  /** A file in a binary format. */
  | 'file'
  /** A whole JSON document, whose names and values are fields of their own. */
  | 'document';

export interface Field {
  readonly kind: FieldKind;
  /** As it was sent, percent-encoding included where the kind has it. */
  readonly value: string;
  /** The name under which a body's or query's value was sent, decoded; that of a list for what is in it. */
  readonly name?: string | undefined;
  /** For a reason: kind and number, or the name of a well-known header; never what the caller chose. */
  readonly where: string;
}

const FIELDS_MAX = 400;
const JSON_LINES_MAX = 400;
/** Values that may be documents of their own, and how deep: what is none costs as much as one. */
const NESTED_MAX = 50;
const DEPTH_MAX = 2;
/** A target may hold spaces that its sender forgot to encode, where the protocol is named behind it. */
const REQUEST_LINE =
  /^([A-Z]{3,10}) +(?:(\S+)|(\S[^\r\n]*?) HTTP\/[\d.]+)(?: +HTTP\/[\d.]+)?[ \t]*(?:\r?\n|$)/;
const KNOWN_HEADERS = new Set([
  'user-agent',
  'referer',
  'cookie',
  'host',
  'x-forwarded-for',
  'accept',
  'accept-language',
  'content-type',
  'authorization',
  'origin',
  'range',
  'x-forwarded-host',
  'x-api-version',
  'if-none-match',
  'accept-encoding',
  'content-disposition',
  'via',
  'forwarded',
  'host',
]);
/**
 * Splits a request, or a part of one, into the values that a caller chose. At most 400, or fewer if told so; what is more is one
 * value.
 */
export function fieldsOf(content: string, fieldsMax = FIELDS_MAX): readonly Field[] {
  const fields = new Fields(Math.min(fieldsMax, FIELDS_MAX));
  const line = REQUEST_LINE.exec(content);
  if (line) {
    addTarget(fields, line[2] ?? line[3] ?? '');
    addMessage(fields, content.slice(line[0].length));
  } else addLoose(fields, content.trim());
  return fields.all;
}

class Fields {
  readonly #list: Field[] = [];
  readonly #more: string[] = [];
  readonly #counts = new Map<string, number>();
  readonly #max: number;
  #nestedLeft = NESTED_MAX;

  constructor(max: number) {
    this.#max = max;
  }

  add(kind: FieldKind, value: string, label: string, name?: string): void {
    if (value === '') return;
    if (this.#list.length >= this.#max) {
      this.#more.push(value);
      return;
    }
    const count = (this.#counts.get(label) ?? 0) + 1;
    this.#counts.set(label, count);
    const isNumbered =
      label.endsWith('field') ||
      label.endsWith('parameter') ||
      label.endsWith('cookie') ||
      label.endsWith('part');
    this.#list.push({ kind, value, name, where: isNumbered ? `${label} ${count}` : label });
  }

  /** Whether one more value may be opened. */
  openNested(): boolean {
    return this.#nestedLeft-- > 0;
  }

  get all(): readonly Field[] {
    const more: Field = { kind: 'whole', value: this.#more.join('&'), where: 'what is behind many fields' };
    return this.#more.length === 0 ? this.#list : [...this.#list, more];
  }
}

/** What is no whole request: an address, a query, a JSON body, or one bare value. */
function addLoose(fields: Fields, content: string): void {
  const isOneLine = !/\s/.test(content);
  if (isOneLine && /^(?:https?:\/\/[^/?#]{1,255}\/|\/(?![/*]))[^'"<>|`{}()]*\?[^?=]{1,60}=/.test(content))
    addTarget(fields, content);
  else if (/^[\w.[\]-]{1,60}=[^&=][^&]*(?:&[\w.%[\]-]{1,60}=[^&]*)+$/.test(content))
    addPairs(fields, content, 'query', 'parameter');
  else if (addJson(fields, content)) return;
  else fields.add('whole', content, 'the content');
}

function addTarget(fields: Fields, target: string): void {
  const mark = target.indexOf('?');
  const path = (mark < 0 ? target : target.slice(0, mark)).replace(/^https?:\/\/[^/]{1,255}/i, '');
  fields.add('path', path, 'the path');
  if (mark >= 0) addPairs(fields, target.slice(mark + 1), 'query', 'query parameter');
}

function addPairs(fields: Fields, text: string, kind: FieldKind, label: string): void {
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 0) fields.add(kind, pair, label);
    else {
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
      if (!isComparison(name, value)) fields.add('name', name, `name of ${label}`);
      if (!addNested(fields, value, kind, label)) fields.add(kind, value, label, decodeUrl(name));
    }
  }
}

/** Adds what is in a value that is a JSON document of its own; false when it is none. */
const addNested = (fields: Fields, value: string, kind: FieldKind, label: string): boolean =>
  /^(?:\{|\[|%7b|%5b)/i.test(value) &&
  fields.openNested() &&
  addJson(fields, decodeUrl(value.replaceAll('+', ' ')), kind, label);

/** A search within bounds, as `price[$gte]=10`: an operator with a number or a date; or by conditions of a list's own. */
const isComparison = (name: string, value: string): boolean =>
  (/^filters(?:\[\$?\w{1,40}\])+$/.test(decodeUrl(name)) && !/pass|token|secret/i.test(name)) ||
  (/(?:\[|%5b)(?:\$|%24)[gl]te?(?:\]|%5d)$/i.test(name) && /^-?\d[\d.:TZ-]*$/.test(value));

function addMessage(fields: Fields, message: string): void {
  let type = '';
  for (const header of headersOf(message)) {
    const { name, value } = header;
    if (name === 'content-type') type = value.toLowerCase();
    if (name === 'content-disposition')
      for (const fileName of fileNamesIn(value)) fields.add('upload', fileName, 'name of upload');
    if (name === 'cookie') addCookies(fields, value);
    else if (UPLOAD_HEADER.test(name)) fields.add('upload', value, 'name of upload');
    else if (!isDull(header)) {
      const label = KNOWN_HEADERS.has(name) ? `header ${name}` : 'header field';
      fields.add(name === 'user-agent' ? 'agent' : 'header', value, label, name);
      // A quote has no place in an address: what is around it may be meant for a form.
      if (name === 'referer' && /['"]/.test(value)) fields.add('referer', value, label);
      if (name === 'referer' && value.includes('?') && !SEARCH.test(value))
        addPairs(fields, value.slice(value.indexOf('?') + 1), 'referer', label);
    }
  }
  const body = bodyBehind(message);
  if (body !== '') addBody(fields, body, type);
}

/** Where a visitor may have asked for anything. */
const SEARCH =
  /^https?:\/\/(?:[\w-]{1,20}\.){0,3}(?:google|bing|duckduckgo|yahoo|yandex|baidu|ecosia|startpage)\.[a-z.]{2,6}\//i;
const UPLOAD_HEADER = /^x[-_]?file-?name$|^x_filename$/;

function addCookies(fields: Fields, value: string): void {
  for (const cookie of value.split(';')) {
    const equals = cookie.indexOf('=');
    if (equals > 0) fields.add('name', cookie.slice(0, equals).trim(), 'name of cookie');
    const text = cookie.slice(equals + 1).trim();
    if (!addNested(fields, text, 'cookie', 'cookie')) fields.add('cookie', text, 'cookie');
  }
}

function bodyBehind(message: string): string {
  const found = /\r?\n\r?\n|^\r?\n/.exec(message);
  return found ? message.slice(found.index + found[0].length) : '';
}

/** Tables, whose semicolons part columns and no statements. */
const SHEET = /^(?:text|application)\/(?:csv|tab-separated)/;

function addBody(fields: Fields, body: string, type: string): void {
  const boundary = /boundary="?([^";\s]{1,70})/.exec(type)?.[1];
  if (boundary !== undefined) addParts(fields, body, boundary);
  else if (SHEET.test(type)) fields.add('whole', body.replaceAll(';', ','), 'the body');
  else if (type.includes('json') && addJson(fields, body)) return;
  else if (!addJson(fields, body) && !addJsonLines(fields, body) && !addXml(fields, body)) {
    if (!/^[\s<]*</.test(body) && /^[^\s=&]{1,200}=/.test(body))
      addPairs(fields, body.trim(), 'body', 'body field');
    else fields.add('whole', body, 'the body');
  }
}

function addParts(fields: Fields, body: string, boundary: string): void {
  for (const { fileNames, name, type, value, isBinary } of partsOf(body, boundary)) {
    for (const fileName of fileNames) fields.add('upload', fileName, 'name of upload');
    if (isBinary) fields.add('file', value, 'body part', name);
    else if (!addJson(fields, value, 'body', 'body part'))
      fields.add('whole', SHEET.test(type) ? value.replaceAll(';', ',') : value, 'body part', name);
  }
}

/** Adds documents that stand in a line each, as log collectors take them; false when the first is none. */
function addJsonLines(fields: Fields, body: string): boolean {
  const [first = '', ...others] = body.split('\n');
  if (!first.startsWith('{') || !addJson(fields, first)) return false;
  const more = others.slice(0, JSON_LINES_MAX).filter((line) => !addJson(fields, line));
  fields.add('whole', [...more, ...others.slice(JSON_LINES_MAX)].join('\n'), 'the body');
  return true;
}

/** A document without a search by conditions, which some interfaces take in the notation of a document database. */
function withoutFilters(document: object, text: string): string {
  if (!('filters' in document)) return text;
  const { filters, ...others } = document;
  return /pass|token|secret|"\$(?:where|regex|func\w*|expr|ne|exists)"/i.test(JSON.stringify(filters))
    ? text
    : JSON.stringify(others);
}

const XML = /^\s*<(?:\?xml\s|(?:\w{1,20}:)?(?:Envelope|methodCall)\b)/;
/** What parts a text for a parser that puts it together again, and what a server puts in. */
const PARTED_XML = /<!--#|<!\[CDATA\[[^\]]{0,3}\]\]>/;
/** Elements of XML-RPC that are types; the name stands in an element before. */
const XML_TYPE = /^(?:value|string|base64)$/;

const behindComment = (part: string): string => part.slice(part.indexOf('-->') + 1).replace(/^->/, '');

/** Adds the texts of an XML document under the names of their elements, and its tags as one value; false when it is none. */
function addXml(fields: Fields, text: string): boolean {
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
function addJson(
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
