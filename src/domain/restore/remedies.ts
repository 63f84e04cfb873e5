import { filesOf } from './factors.ts';
import { FILE_CLASSES, type FileClass, type RestoreCandidate } from './vocabulary.ts';
import { RESTORE_WEIGHTS } from './weights.ts';

/** Every remedy that a candidate can have: what it lacks is checked, what is bad is replaced. */
export const RESTORE_REMEDIES = [
  'remove_known_infected',
  'compare_known_infected',
  'fetch_intact_copy',
  'verify_integrity',
  ...FILE_CLASSES.map((fileClass) => `clean_${fileClass}` as const),
  ...FILE_CLASSES.map((fileClass) => `review_${fileClass}` as const),
  'scan_files',
  'use_newer_backup',
] as const;
export type RemedyId = (typeof RESTORE_REMEDIES)[number];

/** An improvement of a candidate, and the candidate after its success. */
export interface Remedy {
  readonly id: RemedyId;
  readonly action: string;
  readonly reason: string;
  readonly improved: RestoreCandidate;
}

/** How flagged files of a class are dealt with once an infection is certain. */
const CLEANING: Readonly<Record<FileClass, string>> = {
  configuration: 'Rebuild the configuration from a known-good template instead of restoring it',
  database: 'Clean the database in a working copy, or load an earlier dump',
  core: 'Take the application core from its vendor’s release of the same version instead',
  plugin: 'Reinstall the plugins from their vendors instead of restoring them',
  theme: 'Reinstall the themes from their vendors or from version control instead of restoring them',
  upload: 'Remove the flagged uploads from a working copy, and forbid execution in upload directories',
  other: 'Remove the other flagged files from a working copy',
};

/** The remedies that this candidate has, in the order of the factors. */
export function remediesFor(candidate: RestoreCandidate): Remedy[] {
  return [
    ...overlapRemedy(candidate),
    ...integrityRemedy(candidate),
    ...FILE_CLASSES.flatMap((fileClass) => filesRemedy(candidate, fileClass)),
    ...scanRemedy(candidate),
    ...ageRemedy(candidate),
  ];
}

function because({ reason, source }: { readonly reason: string; readonly source: string }): string {
  return `${reason} See ${source}.`;
}

function overlapRemedy(candidate: RestoreCandidate): Remedy[] {
  if (candidate.knownInfectedOverlap === 'none') return [];
  const compare = {
    id: 'compare_known_infected',
    action: 'Compare the backup with the list of files known to be infected.',
  } as const;
  const remove = {
    id: 'remove_known_infected',
    action: 'Remove every file known to be infected from a working copy, then compare again.',
  } as const;
  return [
    {
      ...(candidate.knownInfectedOverlap === 'not_compared' ? compare : remove),
      reason: because(RESTORE_WEIGHTS.known_infected_overlap),
      improved: { ...candidate, knownInfectedOverlap: 'none' },
    },
  ];
}

function integrityRemedy(candidate: RestoreCandidate): Remedy[] {
  if (candidate.integrityCheck === 'restore_tested' || candidate.integrityCheck === 'verified') return [];
  const verify = {
    id: 'verify_integrity',
    action: 'Verify every checksum or signature of the backup against a list that is stored separately.',
  } as const;
  const fetchCopy = {
    id: 'fetch_intact_copy',
    action: 'Fetch another copy of the same backup, off-site or offline, and verify it completely.',
  } as const;
  return [
    {
      ...(candidate.integrityCheck === 'failed' ? fetchCopy : verify),
      reason: because(RESTORE_WEIGHTS.integrity_check),
      improved: { ...candidate, integrityCheck: 'verified' },
    },
  ];
}

function filesRemedy(candidate: RestoreCandidate, fileClass: FileClass): Remedy[] {
  const { clean, suspicious, infected } = filesOf(candidate, fileClass);
  if (suspicious + infected === 0) return [];
  const replace = {
    id: `clean_${fileClass}`,
    action: `${CLEANING[fileClass]} (files: ${infected} infected, ${suspicious} suspicious).`,
  } as const;
  const review = {
    id: `review_${fileClass}`,
    action:
      `Compare the suspicious ${fileClass} files (${suspicious}) with their originals, or inspect them ` +
      'manually; leave out those that remain in doubt.',
  } as const;
  const allClean = { clean: clean + suspicious + infected, suspicious: 0, infected: 0 };
  return [
    {
      ...(infected > 0 ? replace : review),
      reason: because(RESTORE_WEIGHTS.files),
      improved: { ...candidate, fileCounts: { ...candidate.fileCounts, [fileClass]: allClean } },
    },
  ];
}

/** Where files were scanned and all of them flagged, dealing with these is the remedy, not another scan. */
function scanRemedy(candidate: RestoreCandidate): Remedy[] {
  const scanned = FILE_CLASSES.some((fileClass) =>
    Object.values(filesOf(candidate, fileClass)).some((files) => files > 0),
  );
  if (scanned) return [];
  return [
    {
      id: 'scan_files',
      action: 'Scan the content of the backup with a current scanner and assess it with the counts.',
      reason: because(RESTORE_WEIGHTS.no_clean_files),
      improved: { ...candidate, fileCounts: { other: { clean: 1, suspicious: 0, infected: 0 } } },
    },
  ];
}

function ageRemedy(candidate: RestoreCandidate): Remedy[] {
  if (candidate.backupAgeBucket === 'under_24h' || candidate.backupAgeBucket === '1d_to_7d') return [];
  return [
    {
      id: 'use_newer_backup',
      action: 'Look for a backup of the last 7 days that passes the same checks, and prefer it.',
      reason: because(RESTORE_WEIGHTS.backup_age),
      improved: { ...candidate, backupAgeBucket: '1d_to_7d' },
    },
  ];
}
