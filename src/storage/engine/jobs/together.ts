import type { Refusal } from '../../../domain/refusal.ts';
import type { JobFunction } from '../reserve-jobs.ts';

const TOGETHER = Symbol('several of one job');

/**
 * Does what several runs of a job would do one after another, in fewer statements.
 *
 * @returns of each its output, or undefined when it has to be done alone, and nothing of it has happened; a refusal when all have to
 */
export type Together<Input = unknown, Output = unknown> = (
  inputs: readonly Input[],
) => Promise<readonly (Output | undefined)[] | Refusal>;

/** Declares how several of a job are run together, where each statement is a way to another host and back. */
export const orTogether = <Input, Output>(
  run: (input: Input) => Promise<Output>,
  together: Together<Input, Output>,
): ((input: Input) => Promise<Output>) => Object.assign(run, { [TOGETHER]: together });

/** Undefined for a job that is always run alone. */
export const togetherOf = (run: JobFunction & { readonly [TOGETHER]?: Together }): Together | undefined =>
  run[TOGETHER];
