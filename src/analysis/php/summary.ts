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
  /** Checks that it makes. */
  readonly guards: Set<Guard>;
  /** How many parameters it has. */
  readonly parameters: number;
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
  /** Takes tokens from the steps that may be gone again; false when those are used up. */
  readonly step: (tokens: number) => boolean;
  /** Reads text that the code would run. */
  readonly readLayer: (code: string, where: string) => void;
}
