import { type Static, Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { requireScope } from '../../http/admin-caller.ts';
import { answers, closed, nullable, show, success, timestamp, typed } from '../../http/contract/answers.ts';

import { queryParameters, queryReader } from '../../http/query.ts';
import { auditSubject, shownAuditEntry } from '../../operator/shown-audit-entry.ts';
import { readAudit } from '../../storage/operators/audit.ts';
import { PAGE, PAGE_DEFAULT } from '../fields/page-query.ts';
import { Moment, readMoment } from '../fields/query-moment.ts';
import { SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import type { AdminParts } from './parts.ts';

const POSITION = /^[1-9]\d{0,14}$/;

const AuditQuery = closed({
  subject: t.Optional(t.String({ maxLength: 128, description: 'only what was done to this, such as lic_1' })),
  actor: t.Optional(
    t.String({
      maxLength: 128,
      description:
        'only what was done by this one, such as token:shop, or by a kind: cli, token, stripe, system',
    }),
  ),
  since: t.Optional(Moment('only from this moment on; other forms of ISO 8601 with an offset are read too')),
  ...PAGE('entries', POSITION),
});

const facts = (description: string) =>
  nullable(Type.Record(Type.String(), Type.Unknown(), { description }), description);

const AuditPage = typed('AuditPage', {
  entries: t.Array(
    typed('AuditEntry', {
      at: timestamp('when'),
      actor: t.String({ description: 'who: cli:<login>, token:<name>, operator:<name>, stripe or system' }),
      action: t.String({ description: 'what, such as license.suspend' }),
      subject: nullable(t.String({ description: 'what was acted on, such as lic_1 or lic_1..lic_9' })),
      reason: nullable(t.String({ description: 'why, in the words of whoever did it' })),
      before: facts('the changed facts, as they were'),
      after: facts('the same, as they are since then'),
      request_id: nullable(
        t.String({ description: 'of the request that brought it about, also in the log' }),
      ),
    }),
    { description: 'the latest first' },
  ),
  next_cursor: nullable(t.String({ description: 'for the next page; null = this is the last' })),
});

/** Who did what. */
export const audit = ({ authenticate, db }: AdminParts) => {
  const readQuery = queryReader(AuditQuery, 'refused');

  const page = async ({ subject, actor, since, limit = PAGE_DEFAULT, cursor }: Static<typeof AuditQuery>) => {
    const found = await readAudit(db, {
      subject: subject && auditSubject(subject),
      actor,
      since: since === undefined ? undefined : readMoment('since', since),
      beforeId: cursor === undefined ? undefined : Number(cursor),
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    return success({
      entries: shown.map(shownAuditEntry),
      next_cursor: found.length > limit ? String(shown.at(-1)?.id) : null,
    });
  };

  return new Elysia()
    .derive(authenticate)
    .derive(requireScope('audit:read'))
    .get('/audit', async ({ request }) => page(readQuery(request)), {
      response: answers(
        show(
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
          'A page of the audit log.',
        ),
        ...TOKEN_CODES,
        'INVALID_QUERY',
      ),
      detail: {
        operationId: 'listAuditEntries',
        summary: 'Who did what',
        description: 'Kept for `SERVICE_AUDIT_DAYS`. Scope `audit:read`.',
        parameters: queryParameters(AuditQuery),
        tags: [TAGS.watching],
        security: SECURITY,
      },
    });
};
