import { decodeUrl } from '../decode.ts';
import { setOf } from '../words.ts';
import { isBinary } from './binary.ts';
import { addJson, addJsonLines, addXml } from './documents.ts';
import { type Field, type FieldKind, Fields } from './field-list.ts';
import { headersOf, isTrivial } from './head.ts';
import { fileNamesIn, partsOf } from './multipart.ts';
import { isHarmlessFile } from './programs.ts';

/** Targets may contain unencoded spaces if the protocol follows. */
const REQUEST_LINE =
  /^([A-Z]{3,10}) +(?:(\S+)|(\S[^\r\n]*?) HTTP\/[\d.]+)(?: +HTTP\/[\d.]+)?[ \t]*(?:\r?\n|$)/;
const KNOWN_HEADERS = setOf(
  'user-agent referer cookie host x-forwarded-for accept accept-language content-type authorization ' +
    'origin range x-forwarded-host x-api-version if-none-match accept-encoding content-disposition via ' +
    'forwarded host',
);
/**
 * Splits a request, or a part of one, into the values chosen by the caller: at most 400 or `fieldsMax`. Further values are
 * combined to one.
 */
export function fieldsOf(content: string, fieldsMax = Number.POSITIVE_INFINITY): readonly Field[] {
  const fields = new Fields(fieldsMax);
  const line = REQUEST_LINE.exec(content);
  if (line) {
    addTarget(fields, line[2] ?? line[3] ?? '');
    addMessage(fields, content.slice(line[0].length));
  } else addLoose(fields, content.trim());
  return fields.all;
}

/** Splits content that is not a whole request: a URL, a query, a JSON body, or a single value. */
function addLoose(fields: Fields, content: string): void {
  const isOneLine = !/\s/.test(content);
  if (isOneLine && /^(?:https?:\/\/[^/?#]{1,255}\/|\/(?![/*]))[^'"<>|`{}()]*\?[^?=]{1,60}=/.test(content))
    addTarget(fields, content);
  else if (/^[\w.[\]-]{1,60}=[^&=][^&]*(?:&[\w.%[\]-]{1,60}=[^&]*)+$/.test(content))
    addPairs(fields, content, 'query', 'parameter');
  else if (addJson(fields, content)) return;
  else fields.add('whole', content, 'the content', NOTE.test(content) ? 'text' : undefined);
}

/** Prose that begins with a heading. */
const NOTE = /^(?:#{1,6} \p{L}|\p{Lu}[\p{L}\d .,:!?'-]{2,80}\r?\n\s{0,3}\n)/u;

/** Characters that names of pages and files do not contain, but values in a path do. */
const MAY_BE_VALUE = /%(?:2[0278]|3[bc]|7b)|['"(<{;]|\+(?:union|select|or|and|order)\+/i;
const PARTS_MAX = 20;

function addTarget(fields: Fields, target: string): void {
  const mark = target.indexOf('?');
  const path = (mark < 0 ? target : target.slice(0, mark)).replace(/^https?:\/\/[^/]{1,255}/i, '');
  fields.add('path', path, 'the path');
  const parts = path.split('/').filter((part) => part.length < path.length - 1 && MAY_BE_VALUE.test(part));
  for (const part of parts.slice(0, PARTS_MAX))
    fields.add('path', part.replaceAll('+', ' '), 'a path segment');
  if (mark >= 0) addPairs(fields, target.slice(mark + 1), 'query', 'query parameter');
}

function addPairs(fields: Fields, text: string, kind: FieldKind, label: string): void {
  const isListing = LISTING.test(text);
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 0) fields.add(kind, pair, label);
    else {
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
      if (!isComparison(name, value) && !(isListing && isOperator(name)))
        fields.add('name', name, `name of ${label}`);
      if (!addNested(fields, value, kind, label)) fields.add(kind, value, label, decodeUrl(name));
    }
  }
}

/** Adds the fields of a value that is a JSON document; false for other values. */
const addNested = (fields: Fields, value: string, kind: FieldKind, label: string): boolean =>
  /^(?:\{|\[|%7b|%5b)/i.test(value) &&
  fields.openNested() &&
  addJson(fields, decodeUrl(value.replaceAll('+', ' ')), kind, label);

/** A range, such as `price[$gte]=10` with a number or date, or conditions in a list's own notation. */
const isComparison = (name: string, value: string): boolean =>
  (/^filters(?:\[\$?\w{1,40}\])+$/.test(decodeUrl(name)) && !/pass|token|secret/i.test(name)) ||
  (/(?:\[|%5b)(?:\$|%24)[gl]te?(?:\]|%5d)$/i.test(name) && /^-?\d[\d.:TZ-]*$/.test(value));

/** Paging parameters in the notation of the same APIs. */
const LISTING = /(?:^|&)(?:\$|%24)(?:limit|skip|sort|select)(?:[=[]|%5b)/i;
const isOperator = (name: string): boolean =>
  /^\w{1,40}\[\$(?:ne|in|nin|[gl]te?|or|like|exists)\](?:\[\d*\])?$/i.test(decodeUrl(name)) &&
  !/pass|token|secret|user|login|mail|code/i.test(name);

function addMessage(fields: Fields, message: string): void {
  let type = '';
  let encoding = '';
  for (const header of headersOf(message)) {
    const { name, value } = header;
    if (name === 'content-type') type = value.toLowerCase();
    if (name === 'content-encoding') encoding = value.trim().toLowerCase();
    if (name === 'content-disposition')
      for (const fileName of fileNamesIn(value)) fields.add('upload', fileName, 'name of an uploaded file');
    if (name === 'cookie') addCookies(fields, value);
    else if (UPLOAD_HEADER.test(name)) fields.add('upload', value, 'name of an uploaded file');
    else if (!isTrivial(header)) {
      const label = KNOWN_HEADERS.has(name) ? `header ${name}` : 'header field';
      // The query of the referrer is added below, value by value.
      const shown = name === 'referer' ? withoutQuery(value) : value;
      fields.add(name === 'user-agent' ? 'agent' : 'header', shown, label, name);
      // URLs contain no quotes, so the whole value may be an injection.
      if (name === 'referer' && /['"]/.test(value) && !SEARCH.test(value))
        fields.add('referer', value, label);
      if (name === 'referer' && value.includes('?') && !SEARCH.test(value))
        addPairs(fields, value.slice(value.indexOf('?') + 1), 'referer', label);
    }
  }
  const body = bodyOf(message);
  if (body === '') return;
  if (isBinary(body, type, encoding)) fields.add('file', body, 'the body');
  else addBody(fields, body, type);
}

/** Search engines, where visitors may have entered anything. */
const SEARCH =
  /^https?:\/\/(?:[\w-]{1,20}\.){0,3}(?:google|bing|duckduckgo|yahoo|yandex|baidu|ecosia|startpage)\.[a-z.]{2,6}\//i;
const UPLOAD_HEADER = /^x[-_]?file-?name$|^x_filename$/;

/** A URL without its query; other values unchanged. */
const withoutQuery = (value: string): string =>
  /^https?:\/\/\S*$/.test(value) && value.includes('?') ? value.slice(0, value.indexOf('?')) : value;

function addCookies(fields: Fields, value: string): void {
  for (const cookie of value.split(';')) {
    const equals = cookie.indexOf('=');
    if (equals > 0) fields.add('name', cookie.slice(0, equals).trim(), 'name of cookie');
    const text = cookie.slice(equals + 1).trim();
    if (!addNested(fields, text, 'cookie', 'cookie')) fields.add('cookie', text, 'cookie');
  }
}

function bodyOf(message: string): string {
  const found = /\r?\n\r?\n|^\r?\n/.exec(message);
  return found ? message.slice(found.index + found[0].length) : '';
}

/** Types of prose. */
const TEXT = /^text\/(?:plain|markdown|x-markdown)/;
/** Types of tables, whose semicolons separate columns. */
const SHEET = /^(?:text|application)\/(?:csv|tab-separated)/;

function addBody(fields: Fields, body: string, type: string): void {
  const boundary = /boundary="?([^";\s]{1,70})/.exec(type)?.[1];
  if (boundary !== undefined) addParts(fields, body, boundary);
  else if (type.startsWith('message/rfc822')) addMail(fields, body);
  else if (SHEET.test(type)) fields.add('whole', body.replaceAll(';', ','), 'the body');
  else if (type.includes('json') && addJson(fields, body)) return;
  else if (!addJson(fields, body) && !addJsonLines(fields, body) && !addXml(fields, body)) {
    if (!/^[\s<]*</.test(body) && /^[^\s=&]{1,200}=/.test(body))
      addPairs(fields, body.trim(), 'body', 'body field');
    else fields.add('whole', body, 'the body', TEXT.test(type) ? 'text' : undefined);
  }
}

/** Adds a mail. Its headers are joined to one line, because they are not injected into the request. */
function addMail(fields: Fields, mail: string): void {
  const text = bodyOf(mail);
  const head = mail.slice(0, mail.length - text.length);
  fields.add('whole', head.replace(/\r?\n/g, ' '), 'the body');
  fields.add('whole', text, 'the body', 'text');
}

function addParts(fields: Fields, body: string, boundary: string): void {
  for (const { fileNames, name, type, value, isBinary } of partsOf(body, boundary)) {
    const isHarmless = !isBinary && isHarmlessFile(fileNames, type, value);
    if (!isHarmless)
      for (const fileName of fileNames) fields.add('upload', fileName, 'name of an uploaded file');
    if (isBinary) fields.add('file', value, 'body part', name);
    else if (!addJson(fields, value, 'body', 'body part'))
      fields.add(
        'whole',
        SHEET.test(type) ? value.replaceAll(';', ',') : value,
        'body part',
        name,
        isHarmless,
      );
  }
}
