import type { Signal } from '../signal.ts';
import type { Guard } from './functions.ts';

/** The kinds of dangerous uses of a value. */
export type Sink = 'code' | 'command' | 'include' | 'callback' | 'file' | 'upload';

/** Effects of a function, from the first reading. */
export interface FunctionSummary {
  /** Sinks that a parameter reaches, with the positions of those that do. */
  readonly reaches: Map<Sink, number>;
  /** The sinks that a parameter reaches unchanged, without a constant prefix or suffix. */
  readonly reachesWhole: Set<Sink>;
  /** Whether it reads request data. */
  readsCaller: boolean;
  /** The checks in it. */
  readonly guards: Set<Guard>;
  /** Properties that a parameter is stored in, with the positions of those that are. */
  readonly stores: Map<string, number>;
  /** Origins of its result; `parameter` stands for the origins of its arguments. */
  returns: number;
}

/** State shared by all layers of one analysis. */
export interface Shared {
  readonly report: (signal: Signal, where: string) => void;
  /** Takes characters from the decoding budget; false when it is used up. */
  readonly spend: (chars: number) => boolean;
  /** Takes characters from the budget for long texts; false when it is used up. */
  readonly recall: (chars: number) => boolean;
  /** Analyses code that would be run. */
  readonly readLayer: (code: string, where: string) => void;
}
