import { Type as t } from '@sinclair/typebox';
import { restorePolicy } from '../domain/privacy/policies.ts';
import { notRefused } from '../domain/refusal.ts';
import { assessRestore } from '../domain/restore/restore.ts';
import { RESTORE_VERDICT_MEANINGS, RESTORE_VERDICTS } from '../domain/restore/verdict.ts';
import {
  BACKUP_AGE_BUCKETS,
  FILE_CLASSES,
  FILE_COUNT_MAX,
  FILE_STATES,
  INTEGRITY_CHECKS,
  KNOWN_INFECTED_OVERLAPS,
  RESTORE_MEANINGS,
  type RestoreCandidate,
} from '../domain/restore/vocabulary.ts';
import { bodySchema } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { closed, show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import {
  hashToken,
  meanings,
  OVERRIDDEN,
  oneOf,
  PRIVACY_FLAGS_EXAMPLE,
  privacyFlags,
  score,
} from '../http/fields.ts';
import { privacyGate } from '../http/privacy-gate.ts';
import { bearerRoute, jsonBody } from '../http/route/index.ts';
import type { Parts } from './parts.ts';

const ROUTE = '/restore/assess';

const each = <Name extends string, Schema>(names: readonly Name[], schemaOf: (name: Name) => Schema) =>
  Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Record<Name, Schema>;

const FileCounts = each(FILE_CLASSES, (fileClass) =>
  t.Optional(
    closed(
      each(FILE_STATES, (state) =>
        t.Integer({
          minimum: 0,
          maximum: FILE_COUNT_MAX,
          description: `number of files. ${RESTORE_MEANINGS.fileState[state]}`,
        }),
      ),
      RESTORE_MEANINGS.fileClass[fileClass],
    ),
  ),
);

const Candidate = bodySchema(
  'RestoreCandidate',
  {
    ...privacyFlags,
    backupAgeBucket: oneOf(
      BACKUP_AGE_BUCKETS,
      meanings('Age of the backup', RESTORE_MEANINGS.backupAgeBucket),
    ),
    integrityCheck: oneOf(
      INTEGRITY_CHECKS,
      meanings('Integrity of the backup', RESTORE_MEANINGS.integrityCheck),
    ),
    knownInfectedOverlap: oneOf(
      KNOWN_INFECTED_OVERLAPS,
      meanings(
        'Share of the known infected files that the backup also contains',
        RESTORE_MEANINGS.knownInfectedOverlap,
      ),
    ),
    fileCounts: closed(FileCounts, 'files by class; an absent class has no scanned files'),
    siteIdHash: t.Optional(
      hashToken(
        'site, if the license has several: an opaque token, preferably its `id` from GET /sites; assessments are stored per site',
      ),
    ),
    licenseIdHash: t.Optional(hashToken(OVERRIDDEN)),
  },
  {
    ...PRIVACY_FLAGS_EXAMPLE,
    backupAgeBucket: '1d_to_7d',
    integrityCheck: 'verified',
    knownInfectedOverlap: 'none',
    fileCounts: {
      core: { clean: 3120, suspicious: 0, infected: 0 },
      plugin: { clean: 5240, suspicious: 1, infected: 0 },
    },
  } as const,
);

const Factor = typed('RestoreFactor', {
  id: t.String({ description: 'stable ID of the factor' }),
  points: score('points deducted'),
});

const Assessment = typed('RestoreAssessment', {
  restoreSafetyScore: score('safety score, 100 is safest'),
  verdict: oneOf(RESTORE_VERDICTS, meanings('Verdict derived from the score', RESTORE_VERDICT_MEANINGS)),
  factors: t.Array(Factor, {
    description: 'deductions; the score is 100 minus their sum',
  }),
  restorePlan: t.Array(
    typed('RestoreStep', {
      step: t.Integer({ minimum: 1, description: 'position in the plan, starting at 1' }),
      id: t.String({ description: 'stable ID of the step' }),
      action: t.String({ description: 'recommended action' }),
      reason: t.String({ description: 'reason' }),
      scoreGain: t.Integer({
        minimum: 0,
        maximum: 100,
        description: 'score increase if only this step succeeds; increases are not additive',
      }),
    }),
    { description: 'steps in order; the service never restores anything' },
  ),
  restoreExecuted: t.Literal(false, { description: 'always false: the service only recommends' }),
  persistence: t.Literal('replaced', { description: 'replaces the previous assessment of this site' }),
});
const EXAMPLE = { ...assessRestore(Candidate.examples[0]), restoreExecuted: false, persistence: 'replaced' };

export const restore = bearerRoute({
  at: `POST ${ROUTE}`,
  limit: 'restore/assess',
  body: jsonBody({
    schema: Candidate,
    inspect: privacyGate(restorePolicy, 'RESTORE_CONTENT_REJECTED', Candidate),
    capBytes: 8 * KIB,
    refusedAs: 'INVALID_RESTORE_SIGNAL',
  }),
  operationId: 'assessRestore',
  summary: 'Assess a backup and plan its restore',
  description:
    'Send an anonymized description: buckets and counts, without paths, names or content. The service only recommends. Only the assessment is stored.',
  tag: TAGS.signals,
  answer: show(Assessment, EXAMPLE, 'Returns the assessment and the restore plan.'),
  codes: ['RESTORE_CONTENT_REJECTED', 'DAILY_CAP_EXCEEDED', 'STORE_UNAVAILABLE'],
  handle: async (
    { caller, body: candidate },
    { writer, clock, config, identities }: Parts<'clock' | 'config' | 'identities' | 'writer'>,
  ) => {
    const { id: licenseId } = caller.license;
    const now = clock.now();
    const assessment = assessRestore(candidate as RestoreCandidate);
    const { restoreSafetyScore, verdict, factors } = assessment;
    notRefused(
      await writer.write('recordSignal', {
        licenseId,
        signal: ROUTE,
        replaces: true,
        site:
          candidate.siteIdHash === undefined ? '' : identities.siteIdHash(licenseId, candidate.siteIdHash),
        record: {
          licenseIdHash: identities.licenseIdHash(licenseId),
          restoreSafetyScore,
          verdict,
          factors,
        },
        receivedAt: now,
        use: { licenseId, route: ROUTE, dailyCap: config.dailyCap, now },
      }),
    );
    return {
      ...assessment,
      factors: [...factors],
      restorePlan: [...assessment.restorePlan],
      restoreExecuted: false as const,
      persistence: 'replaced' as const,
    };
  },
});
