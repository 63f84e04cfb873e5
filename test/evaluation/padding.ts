import type { Case } from './corpus.ts';

/** Sizes of ordinary code that malware is hidden behind, in KB. */
export const PADDING_KB = [5, 20, 40] as const;

const FILE_CHARS_MAX = 12_000;
const FILES_MAX = 2_000;

/** Whole files of ordinary code, to stand before something else. */
export class Padding {
  readonly #files: string[] = [];
  readonly #language: 'PHP' | 'JavaScript';

  constructor(language: 'PHP' | 'JavaScript') {
    this.#language = language;
  }

  /** Keeps a clean file if something can stand behind it. */
  add(content: string): void {
    const isWhole =
      this.#language === 'JavaScript' ||
      (/^<\?php\s/.test(content) && !/\?>[\s\S]*\S/.test(content.replace(/\?>\s*$/, '')));
    if (isWhole && content.length < FILE_CHARS_MAX && this.#files.length < FILES_MAX)
      this.#files.push(content);
  }

  /** A content behind so many KB of whole files, other ones for each position; undefined when there are too few. */
  before(each: Case, kb: number, position: number): Case | undefined {
    const taken: string[] = [];
    let chars = 0;
    for (let at = 0; at < this.#files.length && chars < kb * 1024; at++) {
      const file = this.#files[(position * 7 + at) % this.#files.length] as string;
      taken.push(this.#language === 'PHP' ? file.replace(/^<\?php\s|\?>\s*$/g, '') : file);
      chars += file.length;
    }
    if (chars < kb * 1024) return undefined;
    const padding = taken.join('\n');
    const content =
      this.#language === 'PHP' ? `<?php ${padding}\n?>\n${each.content}` : `${padding}\n;\n${each.content}`;
    return { ...each, content };
  }
}
