import { sql } from 'drizzle-orm';
import type { Role } from '../../domain/admin/operator.ts';
import type { Scope } from '../../domain/admin/scope.ts';
import { table } from '../engine/table.ts';

export const auditLog = table(
  'audit_log',
  ({ id, int, text, json }) => ({
    id: id(),
    at: int().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    /** The subject, such as `lic_1`. */
    subject: text(),
    reason: text(),
    before: json().$type<Readonly<Record<string, unknown>>>(),
    after: json().$type<Readonly<Record<string, unknown>>>(),
    /** Of the request that caused it. */
    requestId: text('request_id'),
  }),
  (of, { index, isRange }) => [
    index('audit_log_subject').on(of.subject),
    // Few, among the many about one license each.
    index('audit_log_ranges').on(of.subject).where(isRange(of.subject)),
    index('audit_log_dismissals').on(of.at).where(sql`${of.action} = 'payment.dismiss'`),
    index('audit_log_at').on(of.at),
  ],
);

/** Tokens of other programs for the admin API. */
export const adminTokens = table('admin_tokens', ({ id, int, text, json }) => ({
  id: id(),
  name: text().notNull().unique(),
  tokenHash: text('token_hash').notNull().unique(),
  tokenLast4: text('token_last4').notNull(),
  scopes: json().$type<readonly Scope[]>().notNull(),
  createdAt: int('created_at').notNull(),
  expiresAt: int('expires_at').notNull(),
  /** Written at intervals. */
  usedAt: int('used_at'),
  revokedAt: int('revoked_at'),
}));

/** Outcomes of admin API requests with an Idempotency-Key. */
export const adminRequests = table(
  'admin_requests',
  ({ int, text, json }) => ({
    tokenId: int('token_id').notNull(),
    path: text().notNull(),
    keyHash: text('key_hash').notNull(),
    bodyHash: text('body_hash').notNull(),
    /** Without keys or data of customers. */
    outcome: json().$type<Readonly<Record<string, unknown>>>().notNull(),
    doneAt: int('done_at').notNull(),
  }),
  (of, { primaryKey, index }) => [
    primaryKey({ columns: [of.tokenId, of.path, of.keyHash] }),
    index('admin_requests_done_at').on(of.doneAt),
  ],
);

/** Accounts of the console. */
export const operators = table(
  'operators',
  ({ id, int, text }) => ({
    id: id(),
    name: text().notNull().unique(),
    role: text().$type<Role>().notNull(),
    /** Null until one is chosen. */
    passwordHash: text('password_hash'),
    createdAt: int('created_at').notNull(),
    signedInAt: int('signed_in_at'),
    disabledAt: int('disabled_at'),
    /** Of the link for choosing a password, once. */
    linkHash: text('link_hash').unique(),
    linkExpiresAt: int('link_expires_at'),
    /** Sealed; null = a second factor was never begun. */
    totpSecret: text('totp_secret'),
    /** Null = not confirmed yet, so no code is required. */
    totpConfirmedAt: int('totp_confirmed_at'),
    /** The last period with an accepted code: each is accepted once. */
    totpLastStep: int('totp_last_step'),
    /** With the subject, the person at the identity provider; null = signs in with a password. */
    oidcIssuer: text('oidc_issuer'),
    oidcSubject: text('oidc_subject'),
  }),
  (of, { uniqueIndex }) => [uniqueIndex('operators_identity').on(of.oidcIssuer, of.oidcSubject)],
);

/** Replacements for a code, each for one use. */
export const operatorRecoveryCodes = table(
  'operator_recovery_codes',
  ({ int, text }) => ({
    operatorId: int('operator_id')
      .notNull()
      .references(() => operators.id),
    codeHash: text('code_hash').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.operatorId, of.codeHash] })],
);

export const operatorSessions = table(
  'operator_sessions',
  ({ int, flag, text }) => ({
    tokenHash: text('token_hash').primaryKey(),
    operatorId: int('operator_id')
      .notNull()
      .references(() => operators.id),
    startedAt: int('started_at').notNull(),
    /** When the password was last entered. */
    confirmedAt: int('confirmed_at').notNull(),
    /** Whether the second factor is still missing; until then it gives no access. */
    awaitsCode: flag('awaits_code').notNull().default(false),
    /** When it ends at the latest; null = at the general limit. */
    endsAt: int('ends_at'),
  }),
  (of, { index }) => [index('operator_sessions_operator').on(of.operatorId)],
);

/** Failed attempts to sign in, by a hash of the name and the address. */
export const signInTries = table(
  'sign_in_tries',
  ({ int, text }) => ({
    place: text().primaryKey(),
    kind: text().notNull(),
    tries: int().notNull(),
    lastAt: int('last_at').notNull(),
  }),
  (of, { index }) => [index('sign_in_tries_last').on(of.kind, of.lastAt)],
);
