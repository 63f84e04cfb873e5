import type { Refusal } from '../../../domain/refusal.ts';
import type { JobFunction } from '../reserve-jobs.ts';

const TOGETHER = Symbol('several of one job');

/**
 * Runs several inputs of a job with the effect of one after another, in fewer statements.
 *
 * @returns the output of each, or undefined for an input that must run alone and had no effect; a refusal when all must
 */
export type Together<Input = unknown, Output = unknown> = (
  inputs: readonly Input[],
) => Promise<readonly (Output | undefined)[] | Refusal>;

/** Declares how to run several inputs of a job together, where each statement is a round trip to another host. */
export const orTogether = <Input, Output>(
  run: (input: Input) => Promise<Output>,
  together: Together<Input, Output>,
): ((input: Input) => Promise<Output>) => Object.assign(run, { [TOGETHER]: together });

/** Undefined for a job that is always run alone. */
export const togetherOf = (run: JobFunction & { readonly [TOGETHER]?: Together }): Together | undefined =>
  run[TOGETHER];
