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
}

/** A line of a content that a reason is about. */
export interface FoundLine {
  readonly number: number;
  readonly text: string;
}

/** Other encodings become the characters of their bytes, so that code in them is still code. */
const textOf = (bytes: Uint8Array): string => {
  const buffer = Buffer.from(bytes);
  return buffer.toString(isUtf8(buffer) ? 'utf8' : 'latin1');
};

/** What a form asks about: pasted content by its name, if it has one, and files. */
export function itemsOf(
  { content: sent = '', name = '' }: Form,
  files: readonly UploadedFile[],
): CheckItem[] {
  // Browsers end each line of a form's text with CRLF.
  const content = sent.replaceAll('\r\n', '\n');
  const ofFiles = files.map((file) => ({ name: file.name || WORDS.unnamed, content: textOf(file.bytes) }));
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
