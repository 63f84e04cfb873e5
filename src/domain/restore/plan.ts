import { scoreRestoreRisk } from './factors.ts';
import { type RemedyId, remediesFor } from './remedies.ts';
import { type RestoreVerdict, restoreVerdict } from './verdict.ts';
import { FILE_CLASSES, type RestoreCandidate } from './vocabulary.ts';

const PROCEDURE_IDS = [
  'keep_as_evidence',
  'find_another_backup',
  'assess_again',
  'preserve_current_state',
  'restore_in_isolation',
  'carry_over_newer_data',
  'put_into_service',
  'replace_credentials',
  'watch',
] as const;
type ProcedureId = (typeof PROCEDURE_IDS)[number];

export type RestoreStepId = ProcedureId | RemedyId;

/** Every step that a plan can hold. */
export const RESTORE_STEPS: readonly RestoreStepId[] = [
  ...PROCEDURE_IDS,
  'remove_known_infected',
  'compare_known_infected',
  'fetch_intact_copy',
  'verify_integrity',
  ...FILE_CLASSES.map((fileClass) => `clean_${fileClass}` as const),
  ...FILE_CLASSES.map((fileClass) => `review_${fileClass}` as const),
  'scan_files',
  'use_newer_backup',
];

/** One step to take. The service only recommends: it never restores anything. */
export interface RestoreStep {
  /** Position in the plan, from 1. */
  readonly step: number;
  readonly id: RestoreStepId;
  /** What to do. */
  readonly action: string;
  /** Why, and where the practice is laid down. */
  readonly reason: string;
  /**
   * Points by which the safety score rises when this alone succeeds: the score of the candidate so improved,
   * less its score as sent. Integer, 0 to 100; 0 for steps that protect the restore but not the score. Gains
   * of several steps do not add up.
   */
  readonly scoreGain: number;
}

type Unnumbered = Omit<RestoreStep, 'step'>;

const EVIDENCE: Unnumbered = {
  id: 'keep_as_evidence',
  action: 'Leave this backup unrestored; keep a read-only copy offline for the investigation.',
  reason:
    'It shows when and how the attacker came in, and restoring it would bring the attacker back. See NIST SP 800-61 Rev. 2 section 3.3.2.',
  scoreGain: 0,
};

const ANOTHER: Unnumbered = {
  id: 'find_another_backup',
  action:
    'Look for another backup from before the incident and have it assessed; use this one only if there is none.',
  reason:
    'A backup that was never affected is safer than one that was cleaned. See NIST SP 800-184; 3-2-1 practice: several copies, one off-site.',
  scoreGain: 0,
};

const AGAIN: Unnumbered = {
  id: 'assess_again',
  action: 'Scan the improved copy and assess it again; go on only with a verdict of likely_safe or better.',
  reason: 'What was overlooked the first time shows in the second scan. See NIST SP 800-184.',
  scoreGain: 0,
};

const PRESERVE: Unnumbered = {
  id: 'preserve_current_state',
  action: 'Copy the present state of the site, read-only, before anything is overwritten.',
  reason: 'It is the way back if the restore fails, and evidence. See NIST SP 800-61 Rev. 2 section 3.3.2.',
  scoreGain: 0,
};

const SERVICE: Unnumbered = {
  id: 'put_into_service',
  action:
    'Update application, plugins and themes in isolation first, then put the restored site into service.',
  reason: 'A hole that let an attacker in is in the backup as well. See CISA #StopRansomware Guide.',
  scoreGain: 0,
};

const CREDENTIALS: Unnumbered = {
  id: 'replace_credentials',
  action:
    'Replace every credential that the backup holds: administrators, database, API keys, session secrets.',
  reason:
    'Whoever had the site had these, and a restore brings the old ones back. See CISA #StopRansomware Guide.',
  scoreGain: 0,
};

const WATCH: Unnumbered = {
  id: 'watch',
  action: 'Scan daily for 30 days and keep this backup until then.',
  reason: 'Attackers come back to places that they know. See NIST SP 800-184.',
  scoreGain: 0,
};

/** The steps to take, in order: what must be said first, remedies by gain, then the restore itself if it may be. */
export function planRestore(candidate: RestoreCandidate): RestoreStep[] {
  const verdict = restoreVerdict(100 - scoreRestoreRisk(candidate).points);
  const remedies = remedySteps(candidate);
  const steps = [
    ...warning(verdict),
    ...remedies,
    ...(remedies.length > 0 ? [AGAIN] : []),
    ...(mayBeRestored(verdict) ? restoreSteps(candidate) : []),
  ];
  return steps.map((step, index) => ({ step: index + 1, ...step }));
}

function warning(verdict: RestoreVerdict): Unnumbered[] {
  switch (verdict) {
    case 'do_not_restore':
      return [EVIDENCE, ANOTHER];
    case 'unsafe':
      return [ANOTHER];
    case 'caution':
    case 'likely_safe':
    case 'safe':
      return [];
  }
}

function mayBeRestored(verdict: RestoreVerdict): boolean {
  return verdict !== 'do_not_restore' && verdict !== 'unsafe';
}

function remedySteps(candidate: RestoreCandidate): Unnumbered[] {
  const asSent = scoreRestoreRisk(candidate);
  return remediesFor(candidate)
    .map(({ improved, ...remedy }) => ({ remedy, after: scoreRestoreRisk(improved) }))
    .sort((a, b) => b.after.remaining - a.after.remaining)
    .map(({ remedy, after }) => ({ ...remedy, scoreGain: asSent.points - after.points }));
}

function restoreSteps(candidate: RestoreCandidate): Unnumbered[] {
  const isolated = isolationStep(candidate);
  const newerData = newerDataStep(candidate);
  return [PRESERVE, isolated, ...newerData, SERVICE, CREDENTIALS, WATCH];
}

function isolationStep(candidate: RestoreCandidate): Unnumbered {
  const tested: RestoreCandidate =
    candidate.integrityCheck === 'verified' ? { ...candidate, integrityCheck: 'restore_tested' } : candidate;
  return {
    id: 'restore_in_isolation',
    action: 'Restore into an isolated environment first, test it and scan it there.',
    reason: 'A restore that works is the only proof of a backup. See CIS Controls v8 11.5.',
    scoreGain: scoreRestoreRisk(candidate).points - scoreRestoreRisk(tested).points,
  };
}

function newerDataStep({ backupAgeBucket }: RestoreCandidate): Unnumbered[] {
  if (backupAgeBucket === 'under_24h') return [];
  return [
    {
      id: 'carry_over_newer_data',
      action: 'Export orders, accounts and content created since the backup, scan them and carry them over.',
      reason: 'They are in no backup: the restore would lose them. See NIST SP 800-34 Rev. 1.',
      scoreGain: 0,
    },
  ];
}
