import type { Signal } from '../signal.ts';

/** A bounded pattern, or another test in linear time. */
interface Sign {
  test(code: string): boolean;
}
/** A finding and the signs that it requires. */
type Rule = readonly [Signal, ...Sign[]];

/** How a language is recognised, and its rules. */
export interface Language {
  /** Prefilter: lower-case words, one of which every program contains. */
  readonly words: readonly string[];
  /** Patterns that all match in a program of this language. */
  readonly isIn: readonly RegExp[];
  /** Whether it is a standalone program, not embedded in a page. */
  readonly isProgram: boolean;
  /** Pattern for comment lines. */
  readonly comment: RegExp;
  readonly rules: readonly Rule[];
}

/** Patterns for comment lines, by their beginning. */
export const SLASHES = /^[ \t]*(?:\/\/|\*|\/\*).*$/gm;
export const HASHES = /^[ \t]*#(?!!).*$/gm;
export const QUOTES = /^[ \t]*(?:'|rem[ \t]).*$/gim;
