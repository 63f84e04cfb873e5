import { assessedParts } from '../credential/basis.ts';
import { type AssessmentParts, GRADES, type Grade } from './assessment.ts';

/** Minimum grades that an operator may choose; a public F would be no trust. */
export const TRUST_GRADES = ['A', 'B', 'C', 'D'] as const satisfies readonly Grade[];
export type TrustGrade = (typeof TRUST_GRADES)[number];

/** The fields of an assessment that decide its publication. */
export interface Graded {
  readonly grade: Grade;
  readonly parts: AssessmentParts;
}

/** Whether an assessment may be public: by its grade, and because at least one part is complete. */
export const reaches = ({ grade, parts }: Graded, minGrade: TrustGrade): boolean =>
  GRADES.indexOf(grade) <= GRADES.indexOf(minGrade) && assessedParts(parts).length > 0;

/**
 * The assessments of a site that decide its public state at any minimum grade: for each grade the newest that reaches it, and
 * the first that followed. These are retained however many come after.
 *
 * @param assessments the newest first
 */
export function decidingAssessments<Assessment extends Graded>(
  assessments: readonly Assessment[],
): Assessment[] {
  return TRUST_GRADES.flatMap((minGrade) => {
    const at = assessments.findIndex((each) => reaches(each, minGrade));
    return at === -1 ? [] : assessments.slice(Math.max(0, at - 1), at + 1);
  });
}
