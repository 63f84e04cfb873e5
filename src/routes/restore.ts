import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { restorePolicy } from '../domain/privacy/policies.ts';
import { isRefusal } from '../domain/refusal.ts';
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
import { bodySchema, readJson } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { answers, BEARER_CODES, bodyCodes, closed, show, success, typed } from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import {
  hashToken,
  meanings,
  OVERRIDDEN,
  oneOf,
  PRIVACY_FLAGS_EXAMPLE,
  privacyFlags,
} from '../http/fields.ts';
import { privacyGate } from '../http/privacy-gate.ts';
import { checkBody } from '../http/schema-check.ts';
import type { Parts } from './parts.ts';

const ROUTE = '/restore/assess';

const each = <Name extends string, Schema>(names: readonly Name[], schemaOf: (name: Name) => Schema) =>
  Object.fromEntries(names.map((name) => [name, schemaOf(name)])) as Record<Name, Schema>;

const FileCounts = each(FILE_CLASSES, (fileClass) =>
  t.Optional(
    closed(
      each(FILE_STATES, (state) =>
        Type.Integer({
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
  points: Type.Integer({ minimum: 0, maximum: 100, description: 'points deducted' }),
});

const Assessment = typed('RestoreAssessment', {
  restoreSafetyScore: Type.Integer({ minimum: 0, maximum: 100, description: 'safety score, 100 is safest' }),
  verdict: oneOf(RESTORE_VERDICTS, meanings('Verdict derived from the score', RESTORE_VERDICT_MEANINGS)),
  factors: t.Array(Factor, {
    description: 'deductions; the score is 100 minus their sum',
  }),
  restorePlan: t.Array(
    typed('RestoreStep', {
      step: Type.Integer({ minimum: 1, description: 'position in the plan, starting at 1' }),
      id: t.String({ description: 'stable ID of the step' }),
      action: t.String({ description: 'recommended action' }),
      reason: t.String({ description: 'reason' }),
      scoreGain: Type.Integer({
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

export const restore = ({ limits, authenticate, writer, clock, config, identities }: Parts) =>
  new Elysia()
    .derive(limits.perIp('restore/assess'))
    .derive(authenticate)
    .onTransform(readJson({ capBytes: 8 * KIB, refusedAs: 'INVALID_RESTORE_SIGNAL' }))
    .onTransform(privacyGate(restorePolicy, 'RESTORE_CONTENT_REJECTED'))
    .onTransform(checkBody(Candidate, 'INVALID_RESTORE_SIGNAL'))
    .post(
      ROUTE,
      async ({ caller, body: candidate }) => {
        const { id: licenseId } = caller.license;
        const now = clock.now();
        const assessment = assessRestore(candidate as RestoreCandidate);
        const { restoreSafetyScore, verdict, factors } = assessment;
        const refusal = await writer.write('recordSignal', {
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
        });
        if (isRefusal(refusal)) throw refusal;
        return success({
          ...assessment,
          factors: [...factors],
          restorePlan: [...assessment.restorePlan],
          restoreExecuted: false as const,
          persistence: 'replaced' as const,
        });
      },
      {
        body: Candidate,
        response: answers(
          show(Assessment, EXAMPLE, 'Returns the assessment and the restore plan.'),
          ...BEARER_CODES,
          ...bodyCodes('INVALID_RESTORE_SIGNAL'),
          'RESTORE_CONTENT_REJECTED',
          'DAILY_CAP_EXCEEDED',
          'STORE_UNAVAILABLE',
        ),
        detail: {
          operationId: 'assessRestore',
          summary: 'Assess a backup and plan its restore',
          description:
            'Send an anonymised description: buckets and counts, without paths, names or content. The service only recommends. Only the assessment is stored.',
          tags: [TAGS.signals],
          security: BEARER_SECURITY,
        },
      },
    );
