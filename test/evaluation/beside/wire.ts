const METHODS = 'GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT';
const REQUEST_LINE = new RegExp(
  `^(?:([A-Z]{3,10}) +(\\S.*?) +HTTP/(\\d(?:\\.\\d)?)|(${METHODS}) +((?:/|https?:)\\S*))[ \\t]*$`,
);
/** A target with a query, and several fields of a form, as they would be sent. */
const TARGET = /^\/?[^\s?]*\?[\w.%[\]-]+=\S*$/;
const FORM = /^[\w.%[\]-]+=[^\s&]*(?:&[\w.%[\]-]+=[^\s&]*)+$/;
const ENCODED = /^(?=.*%[\da-f]{2})[\w.~!$'()*+,;:@/?%=&#-]+$/i;
/** Behind this a value does not go into a target, of which Apache takes 8,190 characters. */
const TARGET_CHARS_MAX = 4_000;

/**
 * A content as a server would get it. A request with a request line stays as it is, but for what a program that sends it would
 * add: Host, User-Agent, Accept, the type and the length of a body. A target becomes a GET; a form, JSON and XML become a POST; any
 * other content is the value of a parameter.
 */
export function wireOf(content: string): Buffer {
  const text = content.replaceAll('\r\n', '\n').toWellFormed();
  const end = text.indexOf('\n\n');
  const [line = '', ...headers] = (end < 0 ? text.trimEnd() : text.slice(0, end)).split('\n');
  const [, method, target = '', version = '1.1', plain, path = ''] = REQUEST_LINE.exec(line) ?? [];
  if (method === undefined && plain === undefined) return wrapped(text.trim());
  const body = end < 0 ? '' : text.slice(end + 2);
  return message(method ?? plain ?? '', target || path, headers, body, version);
}

function wrapped(text: string): Buffer {
  if (TARGET.test(text)) return message('GET', `/${text.replace(/^\//, '')}`);
  if (FORM.test(text) || isDocument(text)) return message('POST', '/', [], text);
  const value = ENCODED.test(text) ? text.replaceAll('#', '%23') : encodeURIComponent(text);
  return value.length > TARGET_CHARS_MAX
    ? message('POST', '/', [], `q=${value}`)
    : message('GET', `/?q=${value}`);
}

function isDocument(text: string): boolean {
  if (/^<(?:\?xml|!DOCTYPE (?!html))/i.test(text)) return true;
  try {
    return typeof JSON.parse(text) === 'object' && /^[[{]/.test(text);
  } catch {
    return false;
  }
}

function typeOf(body: string): string {
  if (/^\s*[[{]/.test(body)) return 'application/json';
  return /^\s*<[?!]/.test(body) ? 'application/xml' : 'application/x-www-form-urlencoded';
}

function message(method: string, target: string, given: readonly string[] = [], text = '', version = '1.1') {
  const has = (name: string) => given.filter((line) => line.toLowerCase().startsWith(`${name}:`)).length;
  const isChunked = has('transfer-encoding') > 0;
  // These bodies hold lines of the protocol.
  const hasLines = isChunked || given.some((line) => /^content-type:\s*multipart/i.test(line));
  const body = Buffer.from(hasLines ? text.replaceAll('\n', '\r\n') : text);
  // A length that is right for what is sent, unless a wrong one may be the point.
  const isLengthOurs = !isChunked && has('content-length') < 2;
  const headers = isLengthOurs ? given.filter((line) => !/^content-length:/i.test(line)) : [...given];
  if (!has('host')) headers.unshift('Host: shop.example');
  if (!has('user-agent')) headers.push('User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Firefox/128.0');
  if (!has('accept')) headers.push('Accept: */*');
  if (body.length > 0 && !has('content-type')) headers.push(`Content-Type: ${typeOf(text)}`);
  if (isLengthOurs && (body.length > 0 || /^P/.test(method))) headers.push(`Content-Length: ${body.length}`);
  // What came over a later version is handed on to a site in this one.
  const line = `${method} ${target.replaceAll(' ', '%20')} HTTP/${/^1\.\d$/.test(version) ? version : '1.1'}`;
  return Buffer.concat([Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n`), body]);
}
