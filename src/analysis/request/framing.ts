import { REQUEST, type Report } from './signals.ts';

const HEAD_CHARS_MAX = 16 * 1024;

/** Finds headers by which two servers would see different ends of one message (RFC 9112, section 11.2). */
export function findFraming(message: string, report: Report): void {
  if (!/^transfer-encoding/im.test(message)) return;
  const head = message.slice(0, HEAD_CHARS_MAX).split(/\r?\n\r?\n/)[0] ?? '';
  const encodings = [...head.matchAll(/^transfer-encoding[ \t]{0,20}:[ \t]{0,20}(.*)$/gim)].map(
    ([, value = '']) => value.trim().toLowerCase(),
  );
  const isOdd =
    encodings.length > 1 ||
    encodings.some((value) => !/^(?:(?:gzip|deflate|compress), ?)?chunked$/.test(value));
  if (encodings.length > 0 && (isOdd || /^content-length[ \t]{0,20}:/im.test(head))) report(REQUEST.framing);
}
