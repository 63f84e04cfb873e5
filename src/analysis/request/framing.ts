import { REQUEST, type Report } from './signals.ts';

const HEAD_CHARS_MAX = 16 * 1024;
/** Notations of the header name that only some servers accept. */
const ENCODING = /^[ \t\v]{0,5}transfer[-_]encoding[ \t\v]{0,20}:[ \t]{0,20}(.*)$/gim;
const ODD_NAME = /^(?:[ \t\v]{1,5}transfer-encoding|transfer_encoding|transfer-encoding[ \t\v]{1,20}):?/im;
const LENGTH = /^content-length[ \t]{0,20}:[ \t]{0,20}(.*)$/gim;
/** A request after the end of a message, as the next server would read it. */
const NEXT =
  /\n0{1,8}\r?\n\r?\n(?:GET|POST|PUT|HEAD|DELETE|OPTIONS|PATCH|TRACE) \S{1,2000}(?: HTTP\/1\.[01]\r?\n|$)/;

/** Finds headers that make two servers disagree about the end of a message (RFC 9112, section 11.2). */
export function findFraming(message: string, report: Report): void {
  const head = message.slice(0, HEAD_CHARS_MAX).split(/\r?\n\r?\n/)[0] ?? '';
  if (!/^[A-Z]{3,10} \S/.test(head)) return;
  const lengths = valuesOf(head, LENGTH);
  if (new Set(lengths).size > 1 || lengths.some((value) => /^[+-]\d|^\d+\s*,/.test(value)))
    report(REQUEST.framing);
  if (message.includes('HTTP/1', head.length) && NEXT.test(message.slice(head.length)))
    report(REQUEST.framing);
  if (!/transfer[-_]encoding/i.test(head)) return;
  const encodings = valuesOf(head, ENCODING);
  const isOdd =
    encodings.length > 1 ||
    ODD_NAME.test(head) ||
    encodings.some((value) => !/^(?:(?:gzip|deflate|compress), ?)?chunked$/.test(value));
  if (encodings.length > 0 && (isOdd || lengths.length > 0)) report(REQUEST.framing);
}

const valuesOf = (head: string, pattern: RegExp): string[] =>
  [...head.matchAll(pattern)].map(([, value = '']) => value.trim().toLowerCase());
