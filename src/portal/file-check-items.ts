import { isUtf8 } from 'node:buffer';
import type { Form } from '../http/form.ts';
import type { UploadedFile } from '../http/upload.ts';
import { printable } from '../lib/printable.ts';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.analysis;
/** Maximum length of a shown name, in characters. */
const NAME_MAX = 128;
const LINES_SHOWN = 12;
const LINE_CHARACTERS = 160;

/** A content to check, and the name shown with its verdict. */
export interface CheckItem {
  readonly name: string;
  readonly content: string;
  /** Whether it is an archive, whose compressed files are not checked. */
  readonly isArchive?: boolean;
}

/** A line of a content that is named in a reason. */
export interface FoundLine {
  readonly number: number;
  readonly text: string;
}

/** Magic bytes of compressed archives. */
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

/**
 * Decodes UTF-16 with a byte order mark, and UTF-8. Other content is decoded as Latin-1, which preserves ASCII, and with it any
 * code.
 */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
}

/** An empty file becomes an empty line, because the API refuses empty content. */
const contentOf = (bytes: Uint8Array): string => textOf(bytes) || '\n';

/** Returns the contents of a form: pasted content and files. */
export function itemsOf(
  { content: sent = '', name = '' }: Form,
  files: readonly UploadedFile[],
): CheckItem[] {
  // Browsers send line ends in form fields as CRLF.
  const content = sent.replaceAll('\r\n', '\n');
  const ofFiles = files.map(({ name, bytes }) => ({
    name: name || WORDS.unnamed,
    content: contentOf(bytes),
    isArchive: isArchive(bytes),
  }));
  if (content === '' && files.length > 0) return ofFiles;
  return [{ name: [...name.trim()].slice(0, NAME_MAX).join('') || WORDS.pasted, content }, ...ofFiles];
}

/** Returns the first lines of a content that are named in reasons, shortened if they are long. */
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
