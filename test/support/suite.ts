/**
 * The extent of a run: `quick` is `bun test` alone, without a build and without other programs; `verify` is
 * what CI runs; `all` is the whole matrix of runtimes, databases and steps.
 */
export type Suite = 'quick' | 'verify' | 'all';

export const PARTS = 8;

/** Set by test/verify.ts. */
export const suite = (process.env.REDOUBT_SUITE ?? 'quick') as Suite;

/** The part of the whole matrix that a run of `verify` adds, 0 to 7; undefined elsewhere. */
export const part: number | undefined =
  process.env.REDOUBT_PART === undefined ? undefined : Number(process.env.REDOUBT_PART) % PARTS;

/** Whether a run tests all of the matrix, and not an eighth of its files. */
export const isWholeMatrix: boolean = suite === 'all' && part === undefined;

/** Whether to test the row with that number, in a file of which `verify` tests an eighth at a time. */
export const isTried = (row: number): boolean => suite === 'all' || row % PARTS === (part ?? 0);

/** All rows in the whole matrix; otherwise one row in `of`, at most eight, so that eight parts have every row. */
export const rotating = <Row>(
  rows: readonly Row[],
  of = PARTS,
  at: number | undefined = suite === 'all' ? undefined : (part ?? 0),
): Row[] => rows.filter((_, row) => at === undefined || row % of === at % of);
