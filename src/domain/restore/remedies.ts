import { cleanFiles, filesOf } from './factors.ts';
import { FILE_CLASSES, type FileClass, type RestoreCandidate } from './vocabulary.ts';
import { RESTORE_WEIGHTS } from './weights.ts';

export type RemedyId =
  | 'remove_known_infected'
  | 'compare_known_infected'
  | 'fetch_intact_copy'
  | 'verify_integrity'
  | `clean_${FileClass}`
  | `review_${FileClass}`
  | 'scan_files'
  | 'use_newer_backup';

/** Something that makes a candidate better, and what the candidate is once it has succeeded. */
export interface Remedy {
  readonly id: RemedyId;
  readonly action: string;
  readonly reason: string;
  readonly improved: RestoreCandidate;
}

/** How flagged files of a class are dealt with once an infection is certain. */
const CLEANING: Readonly<Record<FileClass, string>> = {
  configuration: 'rebuild the configuration from a known-good template instead of restoring it',
  database: 'clean the database in a working copy or load an earlier dump',
  core: 'take the application core from its vendor’s release of the same version instead',
  plugin: 'reinstall the plugins from their vendors instead of restoring them',
  theme: 'reinstall the themes from their vendors or from version control instead of restoring them',
  upload: 'remove these uploads from a working copy and forbid execution where uploads lie',
  other: 'remove these files from a working copy',
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
  const reason = because(RESTORE_WEIGHTS.known_infected_overlap);
  const improved: RestoreCandidate = { ...candidate, knownInfectedOverlap: 'none' };
  return candidate.knownInfectedOverlap === 'not_compared'
    ? [
        {
          id: 'compare_known_infected',
          action: 'Compare the backup with the list of files known to be infected.',
          reason,
          improved,
        },
      ]
    : [
        {
          id: 'remove_known_infected',
          action: 'Remove every file known to be infected from a working copy, then compare again.',
          reason,
          improved,
        },
      ];
}

function integrityRemedy(candidate: RestoreCandidate): Remedy[] {
  const reason = because(RESTORE_WEIGHTS.integrity_check);
  const improved: RestoreCandidate = { ...candidate, integrityCheck: 'verified' };
  switch (candidate.integrityCheck) {
    case 'restore_tested':
    case 'verified':
      return [];
    case 'partially_verified':
    case 'not_checked':
      return [
        {
          id: 'verify_integrity',
          action:
            'Verify every checksum or signature of the backup, from a copy that it cannot have altered.',
          reason,
          improved,
        },
      ];
    case 'failed':
      return [
        {
          id: 'fetch_intact_copy',
          action: 'Fetch another copy of the same backup, off-site or offline, and verify it in full.',
          reason,
          improved,
        },
      ];
  }
}

function filesRemedy(candidate: RestoreCandidate, fileClass: FileClass): Remedy[] {
  const { clean, suspicious, infected } = filesOf(candidate, fileClass);
  const flagged = suspicious + infected;
  if (flagged === 0) return [];
  const reason = because(RESTORE_WEIGHTS.files);
  const improved: RestoreCandidate = {
    ...candidate,
    fileCounts: {
      ...candidate.fileCounts,
      [fileClass]: { clean: clean + flagged, suspicious: 0, infected: 0 },
    },
  };
  return infected > 0
    ? [
        {
          id: `clean_${fileClass}`,
          action: `${infected} infected and ${suspicious} suspicious (${fileClass}): ${CLEANING[fileClass]}.`,
          reason,
          improved,
        },
      ]
    : [
        {
          id: `review_${fileClass}`,
          action: `${suspicious} suspicious (${fileClass}): compare with the originals or have a person look; leave out what stays in doubt.`,
          reason,
          improved,
        },
      ];
}

function scanRemedy(candidate: RestoreCandidate): Remedy[] {
  const flagged = FILE_CLASSES.some((fileClass) => {
    const { suspicious, infected } = filesOf(candidate, fileClass);
    return suspicious + infected > 0;
  });
  if (flagged || cleanFiles(candidate) > 0) return [];
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
