/** Verdicts of a restore assessment, from best to worst. */
export const RESTORE_VERDICTS = ['safe', 'likely_safe', 'caution', 'unsafe', 'do_not_restore'] as const;
export type RestoreVerdict = (typeof RESTORE_VERDICTS)[number];

/** Lowest safety score of each verdict. */
export const RESTORE_VERDICT_FROM: Readonly<Record<RestoreVerdict, number>> = {
  safe: 90,
  likely_safe: 70,
  caution: 40,
  unsafe: 20,
  do_not_restore: 0,
};

/** One line per verdict, for the API's documentation. */
export const RESTORE_VERDICT_MEANINGS: Readonly<Record<RestoreVerdict, string>> = {
  safe: 'No objections to restoring.',
  likely_safe: 'Minor concerns; review the plan.',
  caution: 'Apply the remedies in the plan and assess again before restoring.',
  unsafe: 'Do not restore as is: use another backup, or apply the remedies and assess again.',
  do_not_restore: 'Do not restore this backup: keep it as evidence and use another.',
};

/** The verdict for a safety score of 0 to 100. */
export function restoreVerdict(safetyScore: number): RestoreVerdict {
  return RESTORE_VERDICTS.find((verdict) => safetyScore >= RESTORE_VERDICT_FROM[verdict]) ?? 'do_not_restore';
}
