/** A request from a log line; missing fields are empty. */
export interface Access {
  readonly sender: string;
  readonly method: string;
  readonly target: string;
  readonly status: string;
  readonly referer: string;
  readonly agent: string;
}

/** Combined and common log format, also with a leading host; quotes in the request may be unescaped. */
const COMBINED =
  /^(?:[\w.:-]+ )?([0-9a-f.:]{3,45}|[\w.-]{3,120}) \S{1,60} (?:\S{1,60} )?\[[^\]]{5,60}\] "(.*?)" (\d{3}) (?:\d+|-)(?: "(.*?)" "(.*)")?/i;
const METHOD = '(?:GET|POST|HEAD|PUT|DELETE|OPTIONS|PATCH|PROPFIND|TRACE|CONNECT)';
/** W3C extended log format, as written by IIS; the server configures the order of the fields. */
const EXTENDED = new RegExp(
  `^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d (.{0,200}?)\\b(${METHOD}) (/\\S*) (\\S+)(?!\\S)(.*)$`,
);
/** A quoted request, as in error logs of nginx, HAProxy and others. */
const QUOTED = new RegExp(`"(${METHOD}) ([^"]{1,8000}?)(?: HTTP/[\\d.]+)?"`);
/** Names and values separated by equals signs (logfmt). */
const NAMED = new RegExp(
  `\\bmethod="?(${METHOD})\\b.{0,400}?\\b(?:path|uri|url)=(?:"([^"]{1,8000})"|(\\S+))`,
);
/** An unquoted request, which ends at the latest at the next space. */
const BARE = new RegExp(`(?:^|[\\s\\]])(${METHOD}) ((?:https?://[^\\s/]{1,255})?/\\S*)`);
const ADDRESS = /(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){3,7})(?![\w.])/gi;

/** The first IP address in a line. */
export const addressIn = (line: string): string | undefined => line.match(ADDRESS)?.[0];

/** Parses the request of a line in one of the usual formats; undefined if there is none. */
export function accessOf(line: string): Access | undefined {
  const combined = COMBINED.exec(line);
  if (combined) {
    const [, sender = '', request = '', status = '', referer = '', agent = ''] = combined;
    return { sender, ...requestLine(request), status, referer, agent };
  }
  if (line.startsWith('{')) return ofJson(line);
  return ofExtended(line) ?? ofAnything(line);
}

function requestLine(request: string): { method: string; target: string } {
  const [, method = ''] = /^([A-Z]{3,10}) /.exec(request) ?? [];
  return {
    method,
    target: request.slice(method === '' ? 0 : method.length + 1).replace(/ HTTP\/[\d.]+$/, ''),
  };
}

function ofExtended(line: string): Access | undefined {
  const [, before = '', method = '', stem = '', query = '', after = ''] = EXTENDED.exec(line) ?? [];
  if (method === '') return undefined;
  // The server's address is before the request, the client's after it, unless there is only one.
  const sender = after.match(ADDRESS)?.at(-1) ?? before.match(ADDRESS)?.at(-1) ?? '';
  const agent = after.split(' ').find((field) => /[a-z]\/|\+\(/i.test(field)) ?? '';
  const status = / ([1-5]\d\d)(?= |$)/.exec(after.slice(after.indexOf(agent) + agent.length))?.[1] ?? '';
  return {
    sender,
    method,
    target: query === '-' ? stem : `${stem}?${query}`,
    status,
    referer: '',
    agent: agent.replaceAll('+', ' '),
  };
}

function ofAnything(line: string): Access | undefined {
  const found = QUOTED.exec(line) ?? NAMED.exec(line) ?? BARE.exec(line);
  if (!found) return undefined;
  const client = /\bclient:? ?([0-9a-f.:]{3,45})/i.exec(line)?.[1];
  const status = /(?: |\bstatus=)([1-5]\d\d)(?: |$)/.exec(line)?.[1] ?? '';
  return {
    sender: client ?? addressIn(line) ?? '',
    method: found[1] ?? '',
    target: found[2] ?? found[3] ?? '',
    status,
    referer: '',
    agent: '',
  };
}

/** Field names, lower-case and without separators. */
const NAMES = {
  sender: ['remoteaddr', 'clientip', 'ip', 'remoteip', 'remotehost', 'xforwardedfor', 'client'],
  request: ['request', 'requestline'],
  method: ['method', 'requestmethod', 'clientrequestmethod', 'verb', 'httpmethod'],
  target: ['uri', 'requesturi', 'clientrequesturi', 'url', 'path', 'requestpath', 'urlpath', 'rawpath'],
  query: ['query', 'querystring', 'urlquery', 'args', 'search'],
  status: ['status', 'statuscode', 'edgeresponsestatus', 'responsestatus', 'httpstatus', 'code'],
  referer: ['referer', 'referrer', 'httpreferer', 'clientrequestreferer'],
  agent: ['useragent', 'httpuseragent', 'agent', 'ua', 'clientrequestuseragent'],
} as const;

function ofJson(line: string): Access | undefined {
  let document: unknown;
  try {
    document = JSON.parse(line);
  } catch {
    return undefined;
  }
  const values = new Map<string, string>();
  collect(document, values, 3);
  const of = (names: readonly string[]): string =>
    names.map((name) => values.get(name)).find((value) => value !== undefined) ?? '';
  const whole = requestLine(of(NAMES.request));
  const query = of(NAMES.query);
  const path = whole.method === '' ? of(NAMES.target) : whole.target;
  if (!/^(?:\/|https?:)/.test(path)) return undefined;
  return {
    sender: of(NAMES.sender),
    method: whole.method || of(NAMES.method) || 'GET',
    target: query === '' || path.includes('?') ? path : `${path}?${query.replace(/^\?/, '')}`,
    status: of(NAMES.status),
    referer: of(NAMES.referer),
    agent: of(NAMES.agent),
  };
}

/** Collects texts and numbers by name, outermost first; the first item represents a list. */
function collect(value: unknown, values: Map<string, string>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  const inner: unknown[] = [];
  for (const [name, each] of Object.entries(value)) {
    const one = Array.isArray(each) ? each[0] : each;
    const key = name.toLowerCase().replace(/[^a-z]/g, '');
    if (typeof one === 'string' || typeof one === 'number') {
      if (!values.has(key)) values.set(key, String(one));
    } else inner.push(one);
  }
  for (const each of inner) collect(each, values, depth - 1);
}
