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
          description: `files. ${RESTORE_MEANINGS.fileState[state]}`,
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
      meanings('What is known of its integrity', RESTORE_MEANINGS.integrityCheck),
    ),
    knownInfectedOverlap: oneOf(
      KNOWN_INFECTED_OVERLAPS,
      meanings('Files known to be infected that it also holds', RESTORE_MEANINGS.knownInfectedOverlap),
    ),
    fileCounts: closed(FileCounts, 'files by class; a class that is absent holds no scanned file'),
    siteIdHash: t.Optional(
      hashToken(
        'which site, when the license has several: an opaque token, best its `id` in GET /sites; an assessment is kept for each',
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
  id: t.String({ description: 'stable name of the factor' }),
  points: Type.Integer({ minimum: 0, maximum: 100, description: 'deducted for it' }),
});

const Assessment = typed('RestoreAssessment', {
  restoreSafetyScore: Type.Integer({ minimum: 0, maximum: 100, description: 'safety; 100 is safest' }),
  verdict: oneOf(RESTORE_VERDICTS, meanings('The score in words', RESTORE_VERDICT_MEANINGS)),
  factors: t.Array(Factor, {
    description: 'what was deducted; 100 less all points is the score',
  }),
  restorePlan: t.Array(
    typed('RestoreStep', {
      step: Type.Integer({ minimum: 1, description: '1 comes first' }),
      id: t.String({ description: 'stable name of the step' }),
      action: t.String({ description: 'what to do' }),
      reason: t.String({ description: 'why' }),
      scoreGain: Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'points by which the score rises when this alone succeeds; gains do not add up',
      }),
    }),
    { description: 'in order; the service never restores anything' },
  ),
  restoreExecuted: t.Literal(false, { description: 'the service only recommends' }),
  persistence: t.Literal('replaced', { description: "in the place of this site's earlier assessment" }),
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
          show(Assessment, EXAMPLE, 'How safe the backup is, and what to do.'),
          ...BEARER_CODES,
          ...bodyCodes('INVALID_RESTORE_SIGNAL'),
          'RESTORE_CONTENT_REJECTED',
          'DAILY_CAP_EXCEEDED',
          'STORE_UNAVAILABLE',
        ),
        detail: {
          operationId: 'assessRestore',
          summary: 'Assess a backup before it is restored, and plan the restore',
          description:
            'An anonymised candidate: buckets and counts, never a path, a name or content. The service only ' +
            'recommends. Only the assessment is kept.',
          tags: [TAGS.signals],
          security: BEARER_SECURITY,
        },
      },
    );
