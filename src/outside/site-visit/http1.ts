// A minimal HTTP/1.1 reader (RFC 9112). The clients of the runtimes limit the decoded body but not the bytes on the wire, and
// refuse answers with harmless faults.

export interface Head {
  readonly status: number;
  /** Values in order of appearance, by lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Offset of the body. */
  readonly endsAt: number;
}

export const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5][0-9]{2})(?: |$)/;
const INTERIM_HEADS_MAX = 8;
const BODILESS = [204, 304];
const SIZE_DIGITS_MAX = 16;

/** Finds the final head of an answer, after at most 8 interim ones (1xx); undefined while it is incomplete. */
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

/** Whether the body declares its end; otherwise it ends with the connection. */
export const isFramed = (head: Head): boolean => isChunked(head) || head.headers.has('content-length');

/**
 * Returns a function that is called with all bytes of the body so far and returns whether it is complete; always false if the
 * body ends with the connection. Each byte is parsed once, however small the pieces are.
 */
export function followBody(head: Head): (arrived: Buffer) => boolean {
  if (BODILESS.includes(head.status)) return () => true;
  if (isChunked(head)) return followChunks();
  const declared = head.headers.get('content-length')?.[0] ?? '';
  return (arrived) => /^[0-9]{1,15}$/.test(declared) && arrived.length >= Number(declared);
}

/** RFC 9112, section 7.1: trailers up to an empty line may follow the last chunk. */
function followChunks(): (arrived: Buffer) => boolean {
  let at = 0;
  return (arrived) => {
    for (let chunk = chunkAt(arrived, at); chunk; chunk = chunkAt(arrived, at)) {
      if (chunk.size === 0) return arrived.includes(HEAD_END, chunk.startsAt - 2);
      at = chunk.endsAt;
    }
    return false;
  };
}

/** Removes the chunked framing; a truncated body gives the complete part. */
export function unframed(head: Head, body: Buffer): Buffer {
  if (!isChunked(head)) return body;
  const chunks: Buffer[] = [];
  for (let chunk = chunkAt(body, 0); chunk && chunk.size > 0; chunk = chunkAt(body, chunk.endsAt)) {
    chunks.push(body.subarray(chunk.startsAt, chunk.startsAt + chunk.size));
  }
  return Buffer.concat(chunks);
}

/** Parses the chunk at an offset; undefined if its size line is incomplete or malformed. */
function chunkAt(body: Buffer, at: number) {
  const lineEnd = at < body.length ? body.indexOf('\r\n', at) : -1;
  if (lineEnd === -1) return undefined;
  const size = Number.parseInt(body.toString('latin1', at, Math.min(lineEnd, at + SIZE_DIGITS_MAX)), 16);
  const startsAt = lineEnd + 2;
  return size >= 0 ? { size, startsAt, endsAt: startsAt + size + 2 } : undefined;
}
