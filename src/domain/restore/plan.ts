import { scoreRestoreRisk } from './factors.ts';
import { PROCEDURE_TEXTS, type ProcedureId, RESTORE_PROCEDURE } from './procedure.ts';
import { RESTORE_REMEDIES, type RemedyId, remediesFor } from './remedies.ts';
import { type RestoreVerdict, restoreVerdict } from './verdict.ts';
import type { RestoreCandidate } from './vocabulary.ts';

/** Every step that a plan can hold. */
export const RESTORE_STEPS: readonly RestoreStepId[] = [...RESTORE_PROCEDURE, ...RESTORE_REMEDIES];
export type RestoreStepId = ProcedureId | RemedyId;

/** One step to take. The service only recommends: it never restores anything. */
export interface RestoreStep {
  /** Position in the plan, from 1. */
  readonly step: number;
  readonly id: RestoreStepId;
  /** What to do. */
  readonly action: string;
  /** Why, and the source of the practice. */
  readonly reason: string;
  /**
   * Points by which the safety score rises when this alone succeeds: the score of the candidate so improved,
   * less its score as sent. Integer, 0 to 100; 0 for steps that protect the restore but not the score. Gains
   * of several steps do not add up.
   */
  readonly scoreGain: number;
}

type Unnumbered = Omit<RestoreStep, 'step'>;

/** The steps in order: warnings first, the remedies by gain, and the restore itself if allowed. */
export function planRestore(candidate: RestoreCandidate): RestoreStep[] {
  const verdict = restoreVerdict(100 - scoreRestoreRisk(candidate).points);
  const remedies = remedySteps(candidate);
  return [
    ...warnings(verdict),
    ...remedies,
    ...(remedies.length > 0 ? [procedure('assess_again')] : []),
    ...(verdict === 'unsafe' || verdict === 'do_not_restore' ? [] : restoreSteps(candidate)),
  ].map((step, index) => ({ step: index + 1, ...step }));
}

function procedure(id: ProcedureId, scoreGain = 0): Unnumbered {
  return { id, ...PROCEDURE_TEXTS[id], scoreGain };
}

function warnings(verdict: RestoreVerdict): Unnumbered[] {
  if (verdict === 'do_not_restore') return [procedure('keep_as_evidence'), procedure('find_another_backup')];
  return verdict === 'unsafe' ? [procedure('find_another_backup')] : [];
}

function remedySteps(candidate: RestoreCandidate): Unnumbered[] {
  const asSent = scoreRestoreRisk(candidate);
  return remediesFor(candidate)
    .map(({ improved, ...remedy }) => ({ remedy, after: scoreRestoreRisk(improved) }))
    .sort((a, b) => b.after.remaining - a.after.remaining)
    .map(({ remedy, after }) => ({ ...remedy, scoreGain: asSent.points - after.points }));
}

function restoreSteps(candidate: RestoreCandidate): Unnumbered[] {
  return [
    procedure('preserve_current_state'),
    procedure('restore_in_isolation', gainOfTrialRestore(candidate)),
    ...(candidate.backupAgeBucket === 'under_24h' ? [] : [procedure('carry_over_newer_data')]),
    procedure('replace_credentials'),
    procedure('put_into_service'),
    procedure('watch'),
  ];
}

/** A trial restore proves a verified backup; without verification it proves only that something starts. */
function gainOfTrialRestore(candidate: RestoreCandidate): number {
  if (candidate.integrityCheck !== 'verified') return 0;
  const tested = scoreRestoreRisk({ ...candidate, integrityCheck: 'restore_tested' });
  return scoreRestoreRisk(candidate).points - tested.points;
}
