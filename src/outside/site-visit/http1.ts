// HTTP/1.1 as far as a reader needs it (RFC 9112), by hand: the runtimes' own clients bound neither the bytes of
// a head nor the time in which it comes, and not all of them show the certificate.

export interface Head {
  readonly status: number;
  /** Values by lower-case name, in their order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Where the body begins. */
  readonly endsAt: number;
}

export const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5][0-9]{2})(?: |$)/;
const INTERIM_HEADS_MAX = 8;
const LAST_CHUNK = '0\r\n\r\n';
const BODILESS = [204, 304];

/** The final head of an answer, after at most 8 interim ones (1xx); undefined while it is not there as a whole. */
export function findHead(bytes: Buffer): Head | 'malformed' | undefined {
  let startsAt = 0;
  for (let heads = 0; heads <= INTERIM_HEADS_MAX; heads++) {
    const end = bytes.indexOf(HEAD_END, startsAt);
    if (end === -1) return undefined;
    const head = parseHead(bytes.toString('latin1', startsAt, end), end + HEAD_END.length);
    if (head === undefined) return 'malformed';
    if (head.status >= 200) return head;
    startsAt = head.endsAt;
  }
  return 'malformed';
}

function parseHead(text: string, endsAt: number): Head | undefined {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(statusLine)?.[1];
  if (status === undefined) return undefined;
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const values = headers.get(name);
    if (values) values.push(value);
    else headers.set(name, [value]);
  }
  return { status: Number(status), headers, endsAt };
}

const isChunked = ({ headers }: Head) =>
  /(?:^|,\s*)chunked$/i.test(headers.get('transfer-encoding')?.at(-1) ?? '');

/** Whether all of the body has arrived; one that ends with its connection never says so. */
export function isWhole(head: Head, body: Buffer): boolean {
  if (BODILESS.includes(head.status)) return true;
  if (isChunked(head)) return body.subarray(-LAST_CHUNK.length).toString('latin1').endsWith(LAST_CHUNK);
  const declared = head.headers.get('content-length')?.[0];
  return declared !== undefined && /^[0-9]{1,15}$/.test(declared) && body.length >= Number(declared);
}

/** The body without its framing; a body that was cut short gives what there is. */
export function unframed(head: Head, body: Buffer): Buffer {
  if (!isChunked(head)) return body;
  const chunks: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = lineEnd === -1 ? 0 : Number.parseInt(body.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) break;
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}
