import { type Apportioned, apportion, shareFromPercent, spreadPercent } from '../event/apportion.ts';
import { FILE_CLASSES, type FileClass, type FileCounts, type RestoreCandidate } from './vocabulary.ts';
import { RESTORE_WEIGHTS } from './weights.ts';

/** The factors, in the order in which they take their share: evidence of infection first, age last. */
export const RESTORE_FACTORS = [
  'known_infected_overlap',
  'integrity_check',
  'configuration_files',
  'database_files',
  'core_files',
  'plugin_files',
  'theme_files',
  'upload_files',
  'other_files',
  'no_clean_files',
  'backup_age',
] as const;
export type RestoreFactorId = (typeof RESTORE_FACTORS)[number];

interface RestoreFactor {
  readonly id: RestoreFactorId;
  /** In millionths of what the factors before this one left. */
  readonly share: number;
}

const NO_FILES: FileCounts = { clean: 0, suspicious: 0, infected: 0 };

/** The class's counts; zeros when it is absent. */
export function filesOf(candidate: RestoreCandidate, fileClass: FileClass): FileCounts {
  return candidate.fileCounts[fileClass] ?? NO_FILES;
}

/**
 * An infected file counts as a flagged one as well. So a suspicious file that proves infected adds to one
 * count and leaves the other, and cannot make the backup look better. Clean files never dilute.
 */
function filesShare(fileClass: FileClass, { suspicious, infected }: FileCounts): number {
  const { sharePercent, doublingPercent, maxPercent } = RESTORE_WEIGHTS.files;
  const first = sharePercent[fileClass];
  const basisPoints =
    first.flagged * spreadPercent(suspicious + infected, doublingPercent.flagged) +
    first.infected * spreadPercent(infected, doublingPercent.infected);
  return Math.min(basisPoints * 100, shareFromPercent(maxPercent));
}

/** Scores a candidate. The points are the risk: 100 less the safety. Factors without a share are left out. */
export function scoreRestoreRisk(candidate: RestoreCandidate): Apportioned<RestoreFactor> {
  const { known_infected_overlap, integrity_check, no_clean_files, backup_age } = RESTORE_WEIGHTS;
  const factors: RestoreFactor[] = [
    {
      id: 'known_infected_overlap',
      share: shareFromPercent(known_infected_overlap.sharePercent[candidate.knownInfectedOverlap]),
    },
    {
      id: 'integrity_check',
      share: shareFromPercent(integrity_check.sharePercent[candidate.integrityCheck]),
    },
    ...FILE_CLASSES.map(
      (fileClass): RestoreFactor => ({
        id: `${fileClass}_files`,
        share: filesShare(fileClass, filesOf(candidate, fileClass)),
      }),
    ),
    {
      id: 'no_clean_files',
      share: FILE_CLASSES.every((fileClass) => filesOf(candidate, fileClass).clean === 0)
        ? shareFromPercent(no_clean_files.sharePercent)
        : 0,
    },
    { id: 'backup_age', share: shareFromPercent(backup_age.sharePercent[candidate.backupAgeBucket]) },
  ];
  return apportion(factors.filter(({ share }) => share > 0));
}
