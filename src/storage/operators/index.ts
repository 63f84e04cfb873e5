import { LINK_MS } from '../../domain/admin/operator.ts';
import { TOTP_AHEAD_MS, TOTP_STEP_MS } from '../../domain/admin/totp.ts';
import { ahead, past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { adminRequestJobs } from './admin-requests.ts';
import { adminTokenJobs } from './admin-tokens.ts';
import { auditJobs } from './audit.ts';
import { operatorJobs } from './operator-jobs.ts';
import { secondFactorJobs } from './second-factors.ts';
import { signInTryJobs } from './sign-in-tries.ts';
import * as tables from './tables.ts';

export const operators = {
  tables,
  jobs: { adminRequestJobs, adminTokenJobs, auditJobs, operatorJobs, secondFactorJobs, signInTryJobs },
  filledByStart: [tables.auditLog],
  ownMoments: [
    ...past(
      tables.operatorSessions.operatorId,
      tables.operatorSessions.startedAt,
      tables.operatorSessions.confirmedAt,
    ),
    { ...ahead(tables.operators.id, tables.operators.totpLastStep, TOTP_AHEAD_MS), unitMs: TOTP_STEP_MS },
    ...past(
      tables.operators.id,
      tables.operators.createdAt,
      tables.operators.signedInAt,
      tables.operators.disabledAt,
      tables.operators.totpConfirmedAt,
    ),
    ahead(tables.operators.id, tables.operators.linkExpiresAt, LINK_MS),
    ...past(
      tables.adminTokens.id,
      tables.adminTokens.createdAt,
      tables.adminTokens.usedAt,
      tables.adminTokens.revokedAt,
    ),
    ...past(tables.adminRequests.tokenId, tables.adminRequests.doneAt),
  ],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly operators: typeof operators;
  }
}
