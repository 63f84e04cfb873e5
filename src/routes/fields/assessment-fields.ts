import { Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { type Assessment, GRADES, type JudgedPart } from '../../domain/assessment/assessment.ts';
import { closed, nullable, timestamp, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import { iso } from '../../lib/clock.ts';

export const GradeName = oneOf(GRADES, 'A from a score of 85, B 65, C 45, D 25', 'Grade');
const Score = (description: string) => Type.Integer({ minimum: 0, maximum: 100, description });

const partFields = {
  score: Score('the most that the assessment can reach with it'),
  at: timestamp('when what it rests on was so'),
  complete: t.Boolean({
    description: 'whether it is fresh and saw everything it was to see; without that there is no A',
  }),
};
const Part = typed('AssessedPart', partFields);
const VulnerabilitiesPart = typed('AssessedVulnerabilities', {
  ...partFields,
  data_at: timestamp('when the oldest of the data was so that components were looked up in'),
  open: Type.Integer({ minimum: 0, description: 'vulnerabilities that are not mended' }),
  overdue: Type.Integer({ minimum: 0, description: 'those of which the time to mend them is over' }),
});

/** What an assessment concluded. */
export const AssessmentFields = typed('Assessment', {
  grade: GradeName,
  score: Score('the least that any part allows; at most 84 while one is missing or not complete'),
  assessed_at: timestamp('when the oldest part was so'),
  parts: closed(
    {
      telemetry: nullable(Part, 'by what the site sent of itself; null = it never did'),
      surface: nullable(Part, 'by what it shows from outside; null = nobody looked'),
      vulnerabilities: nullable(
        VulnerabilitiesPart,
        'by what is known of its components; null = it told of none, or nothing is imported',
      ),
    },
    'what was concluded from each part',
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
