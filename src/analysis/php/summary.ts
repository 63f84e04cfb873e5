import type { Signal } from '../signal.ts';
import type { Guard } from './functions.ts';

/** What a value may reach that does harm. */
export type Sink = 'code' | 'command' | 'include' | 'callback' | 'file' | 'upload';

/** What one reading of a function taught: which dangers its parameters reach, and what it gives back. */
export interface FunctionSummary {
  /** Sinks that a parameter reaches, with the positions of those that do. */
  readonly reaches: Map<Sink, number>;
  /** Of these, the ones that a parameter reaches as it is, with nothing of the function's own before or behind it. */
  readonly reachesWhole: Set<Sink>;
  /** Whether it reads what the caller sends. */
  readsCaller: boolean;
  /** Checks that it makes. */
  readonly guards: Set<Guard>;
  /** Properties that a parameter is stored in, with the positions of those that are. */
  readonly stores: Map<string, number>;
  /** Origins of what it returns; `parameter` stands for those of its arguments. */
  returns: number;
}

/** What all layers of one analysis share. */
export interface Shared {
  readonly report: (signal: Signal, where: string) => void;
  /** Takes characters from the decoding budget; false when it is used up. */
  readonly spend: (chars: number) => boolean;
  /** Takes characters from the budget for long texts; false when it is used up. */
  readonly recall: (chars: number) => boolean;
  /** Reads text that the code would run. */
  readonly readLayer: (code: string, where: string) => void;
}
