import type { BackupAgeBucket, FileClass, IntegrityCheck, KnownInfectedOverlap } from './vocabulary.ts';

interface Ground {
  /** Why the factor weighs what it weighs. Shown to the caller. */
  readonly reason: string;
  /** Source of the practice. The numbers are our own, calibrated to the golden cases. */
  readonly source: string;
}

interface Weight<Value extends string> extends Ground {
  /** Share of the remaining safety that each value takes, in percent: integers 0 to 95. */
  readonly sharePercent: Readonly<Record<Value, number>>;
}

/**
 * A share is also a hard limit, since nothing gives back what it took: from 11 % on the verdict cannot be
 * `safe`, from 31 % on not `likely_safe`, from 61 % on not `caution`, from 81 % on only `do_not_restore`.
 */
export const RESTORE_WEIGHTS: {
  readonly known_infected_overlap: Weight<KnownInfectedOverlap>;
  readonly integrity_check: Weight<IntegrityCheck>;
  readonly files: Ground & {
    /** What the first file takes: `flagged` for being suspicious or worse, `infected` on top of it. */
    readonly sharePercent: Readonly<
      Record<FileClass, { readonly flagged: number; readonly infected: number }>
    >;
    /** How much more it weighs with each doubling of the files, in percent. */
    readonly doublingPercent: { readonly flagged: number; readonly infected: number };
    /** Largest share of one class, in percent, however many files: no class hides all others. */
    readonly maxPercent: number;
  };
  readonly no_clean_files: Ground & { readonly sharePercent: number };
  readonly backup_age: Weight<BackupAgeBucket>;
} = {
  known_infected_overlap: {
    sharePercent: { none: 0, low: 32, not_compared: 32, moderate: 62, high: 85 },
    reason:
      'A backup that contains files known to be infected was taken after the break-in: restoring it lets ' +
      'the attacker back in. Without a comparison, this cannot be ruled out.',
    source: 'NIST SP 800-184; CISA #StopRansomware Guide (do not re-infect clean systems)',
  },
  integrity_check: {
    sharePercent: { restore_tested: 0, verified: 3, partially_verified: 15, not_checked: 32, failed: 75 },
    reason:
      'Only verification shows that a backup is complete and unaltered, and only a restore shows that it works. ' +
      'One that fails verification was damaged or tampered with.',
    source: 'CIS Controls v8 11.5 (test data recovery); NIST SP 800-53 Rev. 5 CP-9(1) and SI-7',
  },
  files: {
    sharePercent: {
      configuration: { flagged: 14, infected: 54 },
      database: { flagged: 13, infected: 52 },
      core: { flagged: 13, infected: 52 },
      plugin: { flagged: 12, infected: 33 },
      theme: { flagged: 12, infected: 33 },
      upload: { flagged: 11, infected: 30 },
      other: { flagged: 11, infected: 26 },
    },
    doublingPercent: { flagged: 25, infected: 15 },
    maxPercent: 95,
    reason:
      'One infected file is enough to lose the site again. Configuration, database and core run on every ' +
      'request or contain the credentials; plugins and themes can be obtained again from their vendors.',
    source: 'NIST SP 800-61 Rev. 2 section 3.3.4 (eradication and recovery); CIS Controls v8 control 10',
  },
  no_clean_files: {
    sharePercent: 35,
    reason: 'No file was scanned and found clean, so there is no evidence that the content is safe.',
    source: 'NIST SP 800-184; CIS Controls v8 control 10',
  },
  backup_age: {
    sharePercent: {
      under_24h: 0,
      '1d_to_7d': 3,
      '8d_to_30d': 8,
      '31d_to_90d': 15,
      over_90d: 30,
      unknown: 30,
    },
    reason:
      'Later changes are lost, and vulnerabilities patched since are open again. With several copies in ' +
      'several places (3-2-1), a newer clean one may exist.',
    source:
      'CIS Controls v8 11.2 (automated backups); US-CERT Data Backup Options (3-2-1 rule); NIST SP 800-34 ' +
      'Rev. 1',
  },
};
