import { Type as t } from '@sinclair/typebox';
import { type Assessment, GRADES, type JudgedPart } from '../../domain/assessment/assessment.ts';
import { closed, nullable, timestamp, typed } from '../../http/contract/answers.ts';
import { count, oneOf, score } from '../../http/fields.ts';
import { iso } from '../../lib/clock.ts';

export const GradeName = oneOf(GRADES, 'grade by minimum score: A 85, B 65, C 45, D 25', 'Grade');

const partFields = {
  score: score('maximum assessment score that this part allows'),
  at: timestamp('time of the underlying data'),
  complete: t.Boolean({
    description: 'whether the data is recent and covers everything; required for grade A',
  }),
};
const Part = typed('AssessedPart', partFields);
const VulnerabilitiesPart = typed('AssessedVulnerabilities', {
  ...partFields,
  data_at: timestamp('time of the oldest vulnerability data used'),
  open: count('unpatched vulnerabilities'),
  overdue: count('vulnerabilities past their remediation deadline'),
});

/** The result of an assessment. */
export const AssessmentFields = typed('Assessment', {
  grade: GradeName,
  score: score('lowest maximum of all parts; at most 84 while a part is missing or incomplete'),
  assessed_at: timestamp('time of the oldest data used'),
  parts: closed(
    {
      telemetry: nullable(Part, 'from telemetry; null if the site has sent none'),
      surface: nullable(Part, 'from a surface scan; null if there was none'),
      vulnerabilities: nullable(
        VulnerabilitiesPart,
        'from its components; null if none were reported or no vulnerability data is imported',
      ),
    },
    'results by part',
    'AssessmentParts',
  ),
});

const partOf = ({ score, at, complete }: JudgedPart) => ({ score, at: iso(at), complete });

export const assessmentOf = ({ grade, score, assessedAt, parts }: Assessment) => {
  const { telemetry, surface, vulnerabilities } = parts;
  return {
    grade,
    score,
    assessed_at: iso(assessedAt),
    parts: {
      telemetry: telemetry && partOf(telemetry),
      surface: surface && partOf(surface),
      vulnerabilities: vulnerabilities && {
        ...partOf(vulnerabilities),
        data_at: iso(vulnerabilities.dataAt),
        open: vulnerabilities.open,
        overdue: vulnerabilities.overdue,
      },
    },
  };
};
