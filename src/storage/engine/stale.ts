/** The result of a job, and of its change, whose plan is outdated: nothing was changed, and it may be planned again. */
export const STALE = 'stale';
