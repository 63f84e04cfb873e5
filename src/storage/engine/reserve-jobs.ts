const USES_RESERVE = Symbol('uses the reserve');

/** One change, prepared. */
export type JobFunction = (input: never) => unknown;

/**
 * Declares that a job may use the reserve of the disk: it frees room, ends access, or belongs to an operator's act. All others
 * write for a tenant and are refused while the disk is full.
 */
export const usesReserve = <Run extends JobFunction>(run: Run): Run =>
  Object.assign(run, { [USES_RESERVE]: true });

/** The names of the jobs that may use the reserve. */
export const reserveJobsIn = <Name extends string>(
  jobs: Readonly<Record<Name, JobFunction>>,
): ReadonlySet<Name> => new Set((Object.keys(jobs) as Name[]).filter((name) => USES_RESERVE in jobs[name]));
