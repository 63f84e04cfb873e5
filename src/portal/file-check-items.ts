import { isUtf8 } from 'node:buffer';
import type { Form } from '../http/form.ts';
import type { UploadedFile } from '../http/upload.ts';
import { printable } from '../lib/printable.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.analysis;
/** Of one name in an answer, in characters. */
const NAME_MAX = 128;
const LINES_SHOWN = 12;
const LINE_CHARACTERS = 160;

/** A content to check, by the name that its answer has. */
export interface CheckItem {
  readonly name: string;
  readonly content: string;
  /** Whether what it contains is compressed, so that it was not checked. */
  readonly isArchive?: boolean;
}

/** A line of a content that a reason is about. */
export interface FoundLine {
  readonly number: number;
  readonly text: string;
}

/** First bytes of files that contain others, compressed. */
const ARCHIVES = [
  'PK\x03\x04',
  '\x1f\x8b',
  'BZh',
  '\xfd7zXZ\0',
  '7z\xbc\xaf\x27\x1c',
  'Rar!\x1a\x07',
  '\x28\xb5\x2f\xfd',
].map((bytes) => Buffer.from(bytes, 'latin1'));

const isArchive = (bytes: Uint8Array): boolean =>
  ARCHIVES.some((first) => first.equals(bytes.subarray(0, first.length)));

/** UTF-16 by its byte order mark; encodings other than UTF-8 become the characters of their bytes, so that code in them is still code. */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
}

/** An empty file is checked like one with an empty line: there is nothing to find in it. */
const contentOf = (bytes: Uint8Array): string => textOf(bytes) || '\n';

/** What a form asks about: pasted content by its name, if it has one, and files. */
export function itemsOf(
  { content: sent = '', name = '' }: Form,
  files: readonly UploadedFile[],
): CheckItem[] {
  // Browsers end each line of a form's text with CRLF.
  const content = sent.replaceAll('\r\n', '\n');
  const ofFiles = files.map(({ name, bytes }) => ({
    name: name || WORDS.unnamed,
    content: contentOf(bytes),
    isArchive: isArchive(bytes),
  }));
  if (content === '' && files.length > 0) return ofFiles;
  return [{ name: [...name.trim()].slice(0, NAME_MAX).join('') || WORDS.pasted, content }, ...ofFiles];
}

/** The lines of a content that reasons name, the first of them; each cut where it is long. */
export function linesIn(content: string, reasons: readonly string[]): FoundLine[] {
  const numbers = reasons.flatMap((reason) =>
    Array.from(reason.matchAll(/\bline (\d{1,9})\b/g), ([, number]) => Number(number)),
  );
  const lines = content.split('\n');
  return [...new Set(numbers)]
    .sort((one, other) => one - other)
    .slice(0, LINES_SHOWN)
    .flatMap((number) => {
      const line = lines[number - 1];
      if (line === undefined) return [];
      const characters = [...line.trim()];
      const isCut = characters.length > LINE_CHARACTERS;
      return [
        { number, text: printable(characters.slice(0, LINE_CHARACTERS).join('')) + (isCut ? ' …' : '') },
      ];
    });
}
