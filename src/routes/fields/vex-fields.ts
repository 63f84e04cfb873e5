import { Type as t } from '@sinclair/typebox';
import {
  JUSTIFICATIONS,
  type NotAffected,
  VEX_STATUSES,
  type VexStatement,
} from '../../domain/vulnerability/vex.ts';
import { nullable, timestamp, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import { iso } from '../../lib/clock.ts';

const WHY = {
  justification: nullable(
    oneOf(JUSTIFICATIONS, undefined, 'VexJustification'),
    'why the component is not affected; null if only `impact` explains it, or if it has another status',
  ),
  impact: t.String({ description: 'explanation of the supplier, plain text; may be empty' }),
  source: t.String({ description: 'ID of the source that states it; see `sources`' }),
};

/** A supplier's statement that a component is not affected. */
export const NotAffectedFields = nullable(
  typed('NotAffected', WHY),
  'set if the supplier states that this component is not affected: the finding needs no action, has no deadline and is not counted; null otherwise',
);

export const notAffectedOf = (found: NotAffected | null) => {
  if (found === null) return null;
  const { justification, impact, source } = found;
  return { justification, impact, source };
};

/** Statements of suppliers on a vulnerability. */
export const VexStatements = (most: number) =>
  t.Array(
    typed('VexStatement', {
      ecosystem: t.String({ description: 'ecosystem; for distributions, with the release' }),
      name: t.String({ description: 'name of the component' }),
      version: nullable(t.String({ description: 'version of the component; null: all versions' })),
      status: oneOf(VEX_STATUSES, 'status that the supplier states', 'VexStatus'),
      ...WHY,
      stated_at: timestamp('time of the statement'),
    }),
    { description: `statements of suppliers (VEX), the newest ${most}` },
  );

export const statementOf = ({ statedAt, ...statement }: VexStatement) => ({
  ...statement,
  stated_at: iso(statedAt),
});

export const EXAMPLE_STATEMENT = {
  ecosystem: 'wordpress-plugin',
  name: 'example-gallery',
  version: '1.2.3',
  status: 'not_affected',
  justification: 'vulnerable_code_not_in_execute_path',
  impact: 'The upload form is disabled in this build.',
  source: 'openvex',
  stated_at: '2026-11-22T08:00:00.000Z',
};
export const EXAMPLE_VEX_SOURCE = {
  id: 'openvex',
  attribution: 'VEX documents of the suppliers that wrote them',
  license: 'Of each author',
};
