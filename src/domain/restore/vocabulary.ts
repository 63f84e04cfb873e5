/**
 * The closed vocabulary of a restore candidate. Where a field has an order, its values stand from best to
 * worst. A check that was not made costs at least as much as one that found a little: not looking never pays.
 */

/** Time since the backup was taken. */
export const BACKUP_AGE_BUCKETS = [
  'under_24h',
  '1d_to_7d',
  '8d_to_30d',
  '31d_to_90d',
  'over_90d',
  'unknown',
] as const;
export type BackupAgeBucket = (typeof BACKUP_AGE_BUCKETS)[number];

/** What is known of the backup being complete and unaltered. */
export const INTEGRITY_CHECKS = [
  'restore_tested',
  'verified',
  'partially_verified',
  'not_checked',
  'failed',
] as const;
export type IntegrityCheck = (typeof INTEGRITY_CHECKS)[number];

/** How many of the files known to be infected on the site the backup also holds. */
export const KNOWN_INFECTED_OVERLAPS = ['none', 'low', 'not_compared', 'moderate', 'high'] as const;
export type KnownInfectedOverlap = (typeof KNOWN_INFECTED_OVERLAPS)[number];

/** Kinds of files, which are cleaned in different ways. They have no order. */
export const FILE_CLASSES = [
  'configuration',
  'database',
  'core',
  'plugin',
  'theme',
  'upload',
  'other',
] as const;
export type FileClass = (typeof FILE_CLASSES)[number];

/** What a scanner says of a file. */
export const FILE_STATES = ['clean', 'suspicious', 'infected'] as const;
export type FileState = (typeof FILE_STATES)[number];

/** One line per value, for the API's documentation. */
export const RESTORE_MEANINGS: {
  readonly backupAgeBucket: Readonly<Record<BackupAgeBucket, string>>;
  readonly integrityCheck: Readonly<Record<IntegrityCheck, string>>;
  readonly knownInfectedOverlap: Readonly<Record<KnownInfectedOverlap, string>>;
  readonly fileClass: Readonly<Record<FileClass, string>>;
  readonly fileState: Readonly<Record<FileState, string>>;
} = {
  backupAgeBucket: {
    under_24h: 'Less than one day.',
    '1d_to_7d': 'One to 7 days.',
    '8d_to_30d': '8 to 30 days.',
    '31d_to_90d': '31 to 90 days.',
    over_90d: 'More than 90 days.',
    unknown: 'Unknown; rated like the oldest.',
  },
  integrityCheck: {
    restore_tested: 'All checksums or signatures match, and an isolated test restore succeeded.',
    verified: 'All checksums or signatures match.',
    partially_verified: 'Some were checked; all of those match.',
    not_checked: 'Nothing was checked.',
    failed: 'A checksum or signature does not match, or the archive is not fully readable.',
  },
  knownInfectedOverlap: {
    none: 'Compared, no overlap.',
    low: 'Less than 5%.',
    not_compared: 'Not compared, or no list of infected files.',
    moderate: '5% to 25%.',
    high: 'More than 25%: the backup was taken after the compromise.',
  },
  fileClass: {
    configuration: 'Site or server settings that contain credentials or are executed.',
    database: 'Database dumps and files.',
    core: 'Files of the application as shipped by its vendor.',
    plugin: 'Extensions as shipped by their vendors.',
    theme: 'Themes and templates.',
    upload: 'Files uploaded by users and editors.',
    other: 'Everything else.',
  },
  fileState: {
    clean: 'Scanned, nothing found.',
    suspicious: 'Flagged by a heuristic or changed unexpectedly; unconfirmed.',
    infected: 'Matches known malware, or confirmed by a person.',
  },
};

/** Largest count of files of one class in one state; the least is 0. */
export const FILE_COUNT_MAX = 10_000_000;

/** Numbers of files by state: integers, 0 to `FILE_COUNT_MAX`. */
export type FileCounts = { readonly [State in FileState]: number };

export interface RestoreCandidate {
  readonly backupAgeBucket: BackupAgeBucket;
  readonly integrityCheck: IntegrityCheck;
  readonly knownInfectedOverlap: KnownInfectedOverlap;
  /** A class that is absent holds no scanned file. */
  readonly fileCounts: { readonly [Class in FileClass]?: FileCounts };
}
