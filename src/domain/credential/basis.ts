import { DAY_MS } from '../../lib/clock.ts';
import { ASSESSMENT_PARTS, type AssessmentPart, type AssessmentParts } from '../assessment/assessment.ts';

/**
 * Whether a credential may cite an assessment: it was made within 24 hours, and at least one part is complete. Its input may be
 * older, which the credential states.
 */
export const isCitable = (
  { madeAt, parts }: { readonly madeAt: number; readonly parts: AssessmentParts },
  nowMs: number,
): boolean => nowMs - madeAt < DAY_MS && assessedParts(parts).length > 0;

/** The parts of an assessment with fresh and complete input. */
export const assessedParts = (parts: AssessmentParts): AssessmentPart[] =>
  ASSESSMENT_PARTS.filter((part) => parts[part]?.complete);
