import { type Static, Type as t } from '@sinclair/typebox';
import { assessRisk } from '../domain/risk/risk.ts';
import { VULNERABILITY_ID } from '../domain/vulnerability/cve.ts';
import { assertionAbout } from '../domain/vulnerability/findings.ts';
import { bodySchema } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { nullable, show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { bearerRoute, jsonBody } from '../http/route/index.ts';
import type { MirrorInUse } from '../tasks/mirror.ts';
import {
  EXAMPLE_FINDING,
  EXAMPLE_SNAPSHOT,
  MirrorStateName,
  SnapshotId,
  stateOf,
} from './fields/finding-fields.ts';
import { requireMirror } from './fields/mirror-required.ts';
import { ExposureName, ImportanceName, RiskFields, riskOf } from './fields/risk-fields.ts';
import type { Parts } from './parts.ts';

const VULNERABILITIES_MAX = 100;

const AskedVulnerability = typed('AskedVulnerability', {
  id: t.String({ pattern: VULNERABILITY_ID.source, description: 'any ID of the vulnerability' }),
  exposure: t.Optional(ExposureName),
  importance: t.Optional(ImportanceName),
});
const RiskRequest = bodySchema(
  'RiskRequest',
  {
    vulnerabilities: t.Array(AskedVulnerability, {
      minItems: 1,
      maxItems: VULNERABILITIES_MAX,
      description: 'vulnerabilities by ID',
    }),
  },
  { vulnerabilities: [{ id: 'CVE-1998-0001', exposure: 'open', importance: 'medium' }] },
);

const RiskAnswer = typed('RiskScores', {
  mirror_state: MirrorStateName,
  snapshot_id: SnapshotId,
  scores: t.Array(
    typed('RiskScore', {
      id: t.String({ description: 'ID as requested' }),
      known: t.Boolean({ description: 'whether the imported data contains it' }),
      risk: nullable(RiskFields, 'risk; null if unknown'),
    }),
    { description: 'results in the order of the request' },
  ),
});

function scoreOf(mirror: MirrorInUse, { id, exposure, importance }: Static<typeof AskedVulnerability>) {
  const number = mirror.data.find(id);
  if (number === undefined) return { id, known: false, risk: null };
  const known = mirror.data.get(number);
  const risk = assessRisk({
    ...known.facts,
    assertedExploitation: assertionAbout(known, mirror.assertions)?.exploitation ?? null,
    exposure: exposure ?? null,
    importance: importance ?? null,
    component: null,
  });
  return { id, known: true, risk: riskOf(risk) };
}

/** Scores vulnerabilities independently of components. Stores nothing. */
export const risk = bearerRoute({
  at: 'POST /risk/score',
  plan: 'pro',
  body: jsonBody({ schema: RiskRequest, capBytes: 16 * KIB }),
  operationId: 'scoreRisk',
  summary: 'Score the risk of vulnerabilities',
  description:
    'Applies two decision tables, CISA’s coordinator table and BOD 26-04, and a score of five additive factors. A worse fact never lowers any of them. Nothing is stored. Requires the plan pro or higher.',
  tag: TAGS.vulnerabilities,
  answer: show(
    RiskAnswer,
    {
      mirror_state: 'current',
      snapshot_id: EXAMPLE_SNAPSHOT,
      scores: [{ id: 'CVE-1998-0001', known: true, risk: EXAMPLE_FINDING.risk }],
    },
    'Returns the risk of each vulnerability.',
  ),
  codes: ['MIRROR_EMPTY'],
  handle: async ({ body }, { mirror, clock, config }: Parts<'clock' | 'config' | 'mirror'>) => {
    const current = requireMirror(await mirror.current());
    const { vulnerabilities } = body;
    return {
      mirror_state: stateOf(current, config.mirrorStaleHours, clock.now()),
      snapshot_id: current.snapshotId,
      scores: vulnerabilities.map((asked) => scoreOf(current, asked)),
    };
  },
});
