import { decodeUrl } from '../decode.ts';

/** One part of a multipart form (RFC 7578). */
export interface Part {
  /** All file names that parsers may choose; several if they are contradictory. */
  readonly fileNames: readonly string[];
  readonly name: string | undefined;
  readonly type: string;
  readonly value: string;
  readonly isBinary: boolean;
}

const PARTS_MAX = 400;
const HEAD_CHARS = 2_000;
const FILE_NAMES_MAX = 4;
const FILE_NAME =
  /[;\s]filename(\*?)\s{0,5}=\s{0,5}(?:"((?:[^"\\\r\n]|\\.){1,300})"?|'([^'\r\n]{1,300})'|([^\s";][^;\r\n]{0,300}))/gi;
const BINARY =
  /^content-type:\s{0,5}(?:image\/(?!svg)|video\/|audio\/|font\/|application\/(?:pdf|zip|octet-stream|vnd\.))/im;

/** Splits a body at its boundary; returns the whole body if it does not occur. */
export function partsOf(body: string, boundary: string): readonly Part[] {
  return (body.toLowerCase().includes(boundary) ? splitParts(body, boundary) : [body]).map(partOf);
}

function partOf(part: string): Part {
  const text = part.replace(/^\r?\n/, '');
  const end = /\r?\n\r?\n|^\r?\n/.exec(text);
  // Unfold lines.
  const head = text.slice(0, Math.min(end?.index ?? text.length, HEAD_CHARS)).replace(/\r?\n[ \t]+/g, ' ');
  const value = end ? text.slice(end.index + end[0].length).replace(/\r?\n--$/, '') : '';
  return {
    fileNames: fileNamesIn(head),
    name: /[;\s]name="([^"\r\n]{1,200})"/i.exec(head)?.[1],
    type: /^content-type:\s{0,5}(\S{1,60})/im.exec(head)?.[1] ?? '',
    value,
    isBinary: BINARY.test(head),
  };
}

/** The file names in the head of a part or in a header. */
export function fileNamesIn(head: string): string[] {
  const names: string[] = [];
  if (!/filename/i.test(head)) return names;
  for (const [, extended, quoted, single, bare] of head.matchAll(FILE_NAME)) {
    if (names.length >= FILE_NAMES_MAX) break;
    const name = quoted ?? single ?? bare ?? '';
    names.push(extended === '' ? name : decodeUrl(name.replace(/^[\w-]{0,20}'[\w-]{0,20}'/, '')));
  }
  return names;
}

function splitParts(body: string, name: string): string[] {
  const lower = body.toLowerCase();
  const boundary = lower.includes(`--${name}`) ? `--${name}` : name;
  const parts: string[] = [];
  let from = 0;
  for (
    let at = lower.indexOf(boundary);
    at >= 0 && parts.length < PARTS_MAX;
    at = lower.indexOf(boundary, at + boundary.length)
  ) {
    parts.push(body.slice(from, at));
    from = at + boundary.length;
  }
  parts.push(body.slice(from));
  return parts;
}
