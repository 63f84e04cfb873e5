/** What a job says, and a change with it, when what it was planned on is not so any more: nothing happened, and it may be planned anew. */
export const STALE = 'stale';
