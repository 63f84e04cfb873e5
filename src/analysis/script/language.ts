import type { Signal } from '../signal.ts';

/** A finding and the patterns that must all match for it, each bounded in how far it looks. */
type Rule = readonly [Signal, ...RegExp[]];

/** How a language is told from others, and what is looked for in it. */
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
