import { DAY_MS } from '../../lib/clock.ts';
import { type JobFunction, usesReserve } from './reserve-jobs.ts';

/** Determines how long data is retained. */
export interface RetentionTerms {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly retentionDays: number;
  readonly feedWindowDays: number;
  readonly auditDays: number;
  /** Whether the disk is full. */
  readonly isFull: boolean;
}

const INPUT_AT = Symbol('the input that retention gives');

/**
 * Declares a job that retention runs every hour; it may use the reserve of the disk. A job with a number as output works in
 * parts and is repeated until it returns 0.
 */
export const ofRetention = <Input, Output>(
  inputAt: (terms: RetentionTerms) => Input,
  run: (input: Input) => Promise<Output>,
): ((input: Input) => Promise<Output>) => Object.assign(usesReserve(run), { [INPUT_AT]: inputAt });

/** The moment before which data of sites is deleted. */
export const retainedFrom = ({ now, retentionDays }: RetentionTerms): number => now - retentionDays * DAY_MS;

/** A job of retention, by its name. */
export interface RetentionJob<Name> {
  readonly name: Name;
  readonly inputAt: (terms: RetentionTerms) => unknown;
}

/** The jobs that retention runs, in order. */
export const retentionJobsIn = <Name extends string>(
  jobs: Readonly<Record<Name, JobFunction & { readonly [INPUT_AT]?: RetentionJob<Name>['inputAt'] }>>,
): readonly RetentionJob<Name>[] =>
  (Object.keys(jobs) as Name[]).flatMap((name) => {
    const inputAt = jobs[name][INPUT_AT];
    return inputAt === undefined ? [] : { name, inputAt };
  });
