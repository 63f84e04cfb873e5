import type { Signal } from '../signal.ts';
import type { Walk } from './walk.ts';

/** Observations about single calls and reads that are judged in context, later or at the end of the file. */
export interface Observations {
  /** Number of URLs searched for in the texts of the file. */
  hostSearches: number;
  /** Origins of the output since output buffering started. */
  printed: number;
  /** Whether the file is a command-line program; undefined until computed. */
  isForTerminal?: boolean;
  /** Whether the file reads its own host name; undefined until computed. */
  namesOwnHost?: boolean;
  /** Variables with content from the site's database or another host, with the signal for running it. */
  readonly untrustedCode: Map<string, Signal>;
  /** Variables with the path or handle of a PHP file. */
  readonly phpPaths: Set<string>;
  /** Variables with a running program; true if it is a shell. */
  readonly programs: Map<string, boolean>;
}

export const noObservations = (): Observations => ({
  hostSearches: 0,
  printed: 0,
  untrustedCode: new Map(),
  phpPaths: new Set(),
  programs: new Map(),
});

const LOOKS = new Set(['isset', 'empty', 'count', 'sizeof', 'is_array', 'if', 'elseif', 'array_key_exists']);

/** Whether the last superglobal is used as a whole: neither indexed nor only tested. */
export const takesWhole = (walk: Walk): boolean =>
  !walk.isOperator('[') && !(walk.peek(-2)?.text === '(' && LOOKS.has(walk.peek(-3)?.text ?? ''));
