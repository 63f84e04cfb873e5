import type { Signal } from '../signal.ts';

/** A pattern that is bounded in how far it looks, or what else tells in linear time whether a program does something. */
interface Sign {
  test(code: string): boolean;
}
/** A finding and the signs that must all be there for it. */
type Rule = readonly [Signal, ...Sign[]];

/** How a language is recognized, and what is searched for in it. */
export interface Language {
  /** One of these stands in every content in it, in lower case: found natively, before any pattern looks. */
  readonly words: readonly string[];
  /** What all of a content in it matches, to tell it from others. */
  readonly isIn: readonly RegExp[];
  /** Whether it is a program of its own, with no page around it. */
  readonly isProgram: boolean;
  /** Lines that are comments. */
  readonly comment: RegExp;
  readonly rules: readonly Rule[];
}

/** Lines that are comments, by how they begin. */
export const SLASHES = /^[ \t]*(?:\/\/|\*|\/\*).*$/gm;
export const HASHES = /^[ \t]*#(?!!).*$/gm;
export const QUOTES = /^[ \t]*(?:'|rem[ \t]).*$/gim;
