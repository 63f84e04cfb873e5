/** Reads recorded requests: HAR files, cassettes of test suites, logs of browsers, lists of addresses. */

/** A request as it was sent. */
export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectIn = (value: unknown, name: string): Json => {
  const inner = isObject(value) ? value[name] : undefined;
  return isObject(inner) ? inner : {};
};
const listIn = (value: unknown, name: string): readonly unknown[] => {
  const inner = isObject(value) ? value[name] : undefined;
  return Array.isArray(inner) ? inner : [];
};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Headers as an object of texts or of lists of texts. */
const headersIn = (headers: unknown): (readonly [string, string])[] =>
  Object.entries(isObject(headers) ? headers : {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as const),
  );

/** What a recorder puts in place of a secret is no value that anybody sent. */
const PLACEHOLDER = /^(?:\w+ )?<[\w ]+>$/;
/** Bodies are as long as one request of the service can carry. */
const BODY_CHARS_MAX = 48_000;

/** The address of a request that went to a host; undefined for pictures in the page itself and the like. */
function targetOf(method: string, url: string): URL | undefined {
  if (!URL.canParse(url) || !/^[A-Z]{3,10}$/.test(method)) return undefined;
  const target = new URL(url);
  return target.host === '' ? undefined : target;
}

/** The request as it stands on the wire; undefined where the address is none. */
export function asMessage({ method, url, headers, body }: Recorded): string | undefined {
  const target = targetOf(method, url);
  if (target === undefined) return undefined;
  const { host, pathname, search } = target;
  const sent = headers.filter(
    ([name, value]) => !name.startsWith(':') && name.toLowerCase() !== 'host' && !PLACEHOLDER.test(value),
  );
  const head = [['Host', host], ...sent].map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${method} ${pathname}${search} HTTP/1.1\n${head}\n\n${body.slice(0, BODY_CHARS_MAX).toWellFormed()}`;
}

/** The request as a server writes it into its log, in the combined format. */
export function asLogLine({ method, url, headers }: Recorded): string | undefined {
  const { pathname, search } = targetOf(method, url) ?? {};
  if (pathname === undefined) return undefined;
  const of = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '-';
  const quoted = (text: string) => `"${text.replaceAll('"', '\\"')}"`;
  const request = quoted(`${method} ${pathname}${search} HTTP/1.1`);
  return `198.51.100.7 - - [30/Nov/2026:07:00:00 +0000] ${request} 200 512 ${quoted(of('referer'))} ${quoted(of('user-agent'))}`;
}

/** HTTP Archive 1.2. */
export const requestsOfHar = (content: string): readonly Recorded[] =>
  listIn(objectIn(JSON.parse(content), 'log'), 'entries').map((entry) => {
    const request = objectIn(entry, 'request');
    return {
      method: text(request.method),
      url: text(request.url),
      headers: listIn(request, 'headers').map(
        (header) => [text((header as Json).name), text((header as Json).value)] as const,
      ),
      body: text(objectIn(request, 'postData').text),
    };
  });

/** Cassettes of betamax and VCR, in JSON or YAML; binary bodies as text in UTF-8, as a service receives them. */
export const requestsOfCassette = (content: string): readonly Recorded[] => {
  const parsed = content.startsWith('{') ? JSON.parse(content) : Bun.YAML.parse(content);
  return [...listIn(parsed, 'http_interactions'), ...listIn(parsed, 'interactions')].map((each) => {
    const request = objectIn(each, 'request');
    const { body } = request;
    const plain = isObject(body) ? text(body.string) : text(body);
    const packed = isObject(body) ? text(body.base64_string) : '';
    // The parser leaves `!!binary` as the base64 that it is.
    const isBase64 = packed !== '' || /^(?:[\w+/]{60,76}=*\n){2}/.test(plain);
    return {
      method: text(request.method),
      url: text(request.uri),
      headers: headersIn(request.headers),
      body: isBase64 ? Buffer.from(packed || plain, 'base64').toString('utf8') : plain,
    };
  });
};

/** What PyGithub's tests replay: scheme, method, host, port, target, headers and body, a line each. */
export const requestsOfReplay = (content: string): readonly Recorded[] =>
  content.split(/\n\n(?=https?\n)/).flatMap((exchange) => {
    const [scheme, method = '', host, , target, headers = '', body = ''] = exchange.split('\n');
    return [
      {
        method,
        url: `${scheme}://${host}${target}`,
        headers: [...headers.matchAll(/'([\w-]+)': '([^']*)'/g)].map(
          ([, name = '', value = '']) => [name, value] as const,
        ),
        body: body === 'None' || body === 'null' ? '' : body,
      },
    ];
  });

/** Events of the DevTools protocol. */
export const requestsOfDevTools = (content: string): readonly Recorded[] =>
  (JSON.parse(content) as readonly unknown[]).flatMap((event) => {
    if (!isObject(event) || event.method !== 'Network.requestWillBeSent') return [];
    const request = objectIn(objectIn(event, 'params'), 'request');
    const { method, url, headers, postData } = request;
    return [{ method: text(method), url: text(url), headers: headersIn(headers), body: text(postData) }];
  });

/** The stories of hpack-test-case: lists of HTTP/2 headers. */
export const requestsOfStory = (content: string): readonly Recorded[] =>
  listIn(JSON.parse(content), 'cases').map((each) => {
    const headers = listIn(each, 'headers').flatMap(headersIn);
    const of = (wanted: string) => headers.find(([name]) => name === wanted)?.[1] ?? '';
    return {
      method: of(':method'),
      url: `${of(':scheme')}://${of(':authority')}${of(':path')}`,
      headers,
      body: '',
    };
  });

/** What pages asked for, with the page as referrer. */
export const requestsOfBlocker = (content: string): readonly Recorded[] =>
  (JSON.parse(content) as readonly unknown[]).map((each) => ({
    method: 'GET',
    url: text((each as Json).url),
    headers: [['Referer', text((each as Json).sourceUrl)]],
    body: '',
  }));
