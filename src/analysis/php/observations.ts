import type { Signal } from '../signal.ts';
import type { Walk } from './walk.ts';

/** What single calls and reads tell that is judged together with others, later or at the end of the file. */
export interface Observations {
  /** Addresses that were looked for in the texts of the file. */
  lookedFor: number;
  /** Origins of what was printed since output was last held back. */
  printed: number;
  /** Whether the file is a program for the command line; undefined until that is asked. */
  isForTerminal?: boolean;
  /** Whether the file names what tells a page its own host; undefined until that is asked. */
  namesOwnHost?: boolean;
  /** Variables with what was kept in the database of the site or sent by another host, by what it is to run them. */
  readonly kept: Map<string, Signal>;
  /** Variables with the path of a PHP file, or such a file opened. */
  readonly phpPaths: Set<string>;
  /** Variables with a program that is running, by whether it is a shell. */
  readonly programs: Map<string, boolean>;
}

export const noObservations = (): Observations => ({
  lookedFor: 0,
  printed: 0,
  kept: new Map(),
  phpPaths: new Set(),
  programs: new Map(),
});

const LOOKS = new Set(['isset', 'empty', 'count', 'sizeof', 'is_array', 'if', 'elseif', 'array_key_exists']);

/** Whether a superglobal that was just read is taken whole: no item of it, and no look whether there is anything. */
export const takesWhole = (walk: Walk): boolean =>
  !walk.isOperator('[') && !(walk.peek(-2)?.text === '(' && LOOKS.has(walk.peek(-3)?.text ?? ''));
