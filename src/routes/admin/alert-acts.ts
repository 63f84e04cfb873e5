import type { Static } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { DOMAIN_CHARACTERS_MAX } from '../../domain/site/site-domain.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { bodySchema, readJson } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { answers, BODY_CODES, show, success, typed } from '../../http/contract/answers.ts';
import { line, siteText } from '../../http/fields.ts';
import { checkBody } from '../../http/schema-check.ts';
import {
  ALERT_NOTE_CHARACTERS_MAX,
  acknowledgeAlert,
  type NamedAlert,
  unacknowledgeAlert,
} from '../../operator/acknowledge-alert.ts';
import type { Act, ActOutcome } from '../../operator/act.ts';
import { readOpenAlerts } from '../../storage/sites/open-alerts.ts';
import { ACT_CODES, SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import {
  type AdminRequest,
  act,
  IDEMPOTENCY,
  licenseAt,
  noticesField,
  reasonField,
  replayedField,
} from './fields/act.ts';
import { AlertSubject, EXAMPLE_ALERT } from './fields/alert.ts';
import { LicenseId } from './fields/license.ts';
import { domainIn, lineIn } from './fields/wanted.ts';
import type { AdminParts } from './parts.ts';

const DomainField = siteText('a domain, as a site sends it', DOMAIN_CHARACTERS_MAX);
const { license_id, domain, subject } = EXAMPLE_ALERT;
const EXAMPLE = { license_id, domain, subject };
const alertFields = { license_id: LicenseId, domain: DomainField, subject: AlertSubject, ...reasonField };

const Acknowledging = bodySchema(
  'Acknowledging',
  {
    ...alertFields,
    note: t.Optional(line('what operators are to know of it', ALERT_NOTE_CHARACTERS_MAX)),
  },
  { ...EXAMPLE, note: 'the owner is told, ticket 1042' },
);
const Unacknowledging = bodySchema('Unacknowledging', alertFields, EXAMPLE);

const Acknowledged = typed('Acknowledged', {
  license_id: LicenseId,
  domain: t.String({ description: 'of the site' }),
  subject: AlertSubject,
  acknowledged: t.Boolean({ description: 'whether it is acknowledged now' }),
  ...noticesField,
  ...replayedField,
});

/** Acknowledging alerts, and taking that back. */
export const alertActs = (parts: AdminParts) => {
  const { db, config } = parts;
  const openAlerts = readOpenAlerts(db);

  const answer = async (request: AdminRequest, plan: (alert: NamedAlert, by: Act) => Promise<ActOutcome>) => {
    const body = request.body as Static<typeof Unacknowledging>;
    const { id } = await licenseAt(parts, body.license_id);
    const domain = domainIn('domain', body.domain, config);
    const alert = { licenseId: id, domain, subject: body.subject };
    const done = await act(parts, request, async (by) => {
      const outcome = await plan(alert, by);
      return 'refused' in outcome ? outcome : { ...outcome, facts: {} };
    });
    const { acknowledgedAt = null } = (await openAlerts.find(id, domain, body.subject)) ?? {};
    return success({
      ...{ license_id: body.license_id, domain, subject: body.subject },
      acknowledged: acknowledgedAt !== null,
      notices: [...done.notices],
      replayed: done.plan === undefined,
    });
  };

  const acknowledge = async (request: AdminRequest) => {
    const { note: noted } = request.body as Static<typeof Acknowledging>;
    const note = noted === undefined ? undefined : lineIn('note', noted, ALERT_NOTE_CHARACTERS_MAX);
    return answer(request, (alert, by) => acknowledgeAlert(db, alert, { note }, by));
  };
  const unacknowledge = async (request: AdminRequest) =>
    answer(request, (alert, by) => unacknowledgeAlert(db, alert, undefined, by));

  const writing = (Body: Parameters<typeof checkBody>[0]) =>
    new Elysia()
      .derive(parts.authenticate)
      .derive(requireScope('alerts:write'))
      .onTransform(readJson({ capBytes: 8 * KIB, whenEmpty: () => ({}) }))
      .onTransform(checkBody(Body));
  const answersOf = (acknowledged: boolean) =>
    answers(
      show(Acknowledged, { ...EXAMPLE, acknowledged, notices: [], replayed: false }, 'What holds now.'),
      ...TOKEN_CODES,
      ...BODY_CODES,
      ...ACT_CODES,
      'LICENSE_NOT_FOUND',
    );
  const detail = { parameters: [IDEMPOTENCY], tags: [TAGS.alerts], security: SECURITY };

  return new Elysia()
    .use(
      writing(Acknowledging).post(
        '/alerts/acknowledge',
        async ({ request, set, caller, body }) => acknowledge({ request, set, caller, body }),
        {
          body: Acknowledging,
          response: answersOf(true),
          detail: {
            operationId: 'acknowledgeAlert',
            summary: 'Note that somebody sees to an alert',
            description: 'Until more is told of it. Its tenant sees nothing of that. Scope `alerts:write`.',
            ...detail,
          },
        },
      ),
    )
    .use(
      writing(Unacknowledging).post(
        '/alerts/unacknowledge',
        async ({ request, set, caller, body }) => unacknowledge({ request, set, caller, body }),
        {
          body: Unacknowledging,
          response: answersOf(false),
          detail: {
            operationId: 'unacknowledgeAlert',
            summary: 'Take an acknowledgement back',
            description: 'The alert needs somebody again. Scope `alerts:write`.',
            ...detail,
          },
        },
      ),
    );
};
