import { Type as t } from '@sinclair/typebox';
import { closed, nullable, show, timestamp, typed } from '../../http/contract/answers.ts';
import { queryOf } from '../../http/route/index.ts';
import { auditSubject, shownAuditEntry } from '../../operator/shown-audit-entry.ts';
import { readAudit } from '../../storage/operators/audit.ts';
import { PAGE, PAGE_DEFAULT } from '../fields/page-query.ts';
import { Moment, readMoment } from '../fields/query-moment.ts';
import type { Parts } from '../parts.ts';
import { TAGS } from './contract.ts';
import { tokenRoute } from './token-route.ts';

const POSITION = /^[1-9]\d{0,14}$/;

const AuditQuery = closed({
  subject: t.Optional(
    t.String({ maxLength: 128, description: 'only entries with this subject, such as lic_1' }),
  ),
  actor: t.Optional(
    t.String({
      maxLength: 128,
      description:
        'only entries by this actor, such as token:shop, or by a kind of actor: cli, token, operator, tenant, stripe, system',
    }),
  ),
  since: t.Optional(
    Moment('only entries at or after this time; other ISO 8601 forms with an offset are accepted'),
  ),
  ...PAGE('entries', POSITION),
});

const facts = (description: string) =>
  nullable(t.Record(t.String(), t.Unknown(), { description }), description);

const AuditPage = typed('AuditPage', {
  entries: t.Array(
    typed('AuditEntry', {
      at: timestamp('time of the entry'),
      actor: t.String({ description: 'actor: cli:<login>, token:<name>, operator:<name>, stripe or system' }),
      action: t.String({ description: 'action, such as license.suspend' }),
      subject: nullable(t.String({ description: 'subject, such as lic_1 or lic_1..lic_9' })),
      reason: nullable(t.String({ description: 'reason given by the actor' })),
      before: facts('previous values of the changed fields'),
      after: facts('new values of the changed fields'),
      request_id: nullable(t.String({ description: 'ID of the request, as in the service log' })),
    }),
    { description: 'entries of this page, newest first' },
  ),
  next_cursor: nullable(t.String({ description: 'cursor of the next page; null on the last page' })),
});

export const audit = tokenRoute({
  at: 'GET /audit',
  scope: 'audit:read',
  query: queryOf(AuditQuery, 'refused'),
  operationId: 'listAuditEntries',
  summary: 'List entries of the audit log',
  description: 'Retained for `SERVICE_AUDIT_DAYS`. Scope `audit:read`.',
  tag: TAGS.watching,
  answer: show(
    AuditPage,
    {
      entries: [
        {
          at: '2026-11-23T09:30:00.000Z',
          actor: 'token:shop',
          action: 'license.suspend',
          subject: 'lic_1',
          reason: 'chargeback of order 1042',
          before: { holds: [] },
          after: { holds: ['dispute'] },
          request_id: '3a4d1a52-6f0e-4bd2-9f0a-1f0c6f6a2f11',
        },
      ],
      next_cursor: null,
    },
    'Returns a page of the audit log.',
  ),
  handle: async ({ query: { subject, actor, since, limit = PAGE_DEFAULT, cursor } }, { db }: Parts<'db'>) => {
    const found = await readAudit(db, {
      subject: subject && auditSubject(subject),
      actor,
      since: since === undefined ? undefined : readMoment('since', since),
      beforeId: cursor === undefined ? undefined : Number(cursor),
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    return {
      entries: shown.map(shownAuditEntry),
      next_cursor: found.length > limit ? String(shown.at(-1)?.id) : null,
    };
  },
});
