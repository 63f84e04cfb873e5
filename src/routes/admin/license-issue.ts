import { Elysia, type Static, t } from 'elysia';
import { requireScope } from '../../http/admin-caller.ts';
import { bodySchema, readJson } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { answers, BODY_CODES, nullable, show, success, typed } from '../../http/contract/answers.ts';
import { checkBody } from '../../http/schema-check.ts';
import type { Act } from '../../operator/act.ts';
import { issueLicenses } from '../../operator/issue-licenses.ts';
import { ACT_CODES, SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import {
  type AdminRequest,
  act,
  IDEMPOTENCY,
  licenseDone,
  noticesField,
  reasonField,
  replayedField,
} from './fields/act.ts';
import {
  ChangedLicense,
  DomainField,
  EXAMPLE_LICENSE,
  moduleList,
  noteFields,
  PlanName,
  termFields,
} from './fields/license.ts';
import { momentIn, notesIn, siteDomainIn } from './fields/wanted.ts';
import type { AdminParts } from './parts.ts';

const DOMAINS_MAX = 1_000;

export const WantedLicense = bodySchema(
  'WantedLicense',
  {
    plan: PlanName,
    domains: t.Optional(
      t.Array(DomainField, {
        maxItems: DOMAINS_MAX,
        description: 'to be registered at once; others are by their first use',
      }),
    ),
    trial: t.Optional(
      t.Boolean({
        description: 'whether it is a trial, which ends when trials do unless expires_at says otherwise',
      }),
    ),
    test: t.Optional(
      t.Boolean({
        description: 'whether it is for development: bound to no domains, counts for nothing in the feed',
      }),
    ),
    sites: t.Optional(termFields.sites),
    expires_at: t.Optional(nullable(termFields.expires_at, 'when it ends; null, or left out, never')),
    daily_events: t.Optional(termFields.daily_events),
    daily_bytes: t.Optional(termFields.daily_bytes),
    allow_modules: t.Optional(moduleList('modules beside those of its plan')),
    deny_modules: t.Optional(moduleList('modules of its plan that it has not')),
    ...noteFields,
    ...reasonField,
  },
  {
    plan: 'pro',
    domains: ['shop.example.com'],
    expires_at: '2027-11-23T09:30:00Z',
    customer: 'Example Ltd',
    email: 'owner@example.com',
    external_id: 'order-1042',
  },
);

const IssuedLicense = typed('IssuedLicense', {
  license: ChangedLicense,
  key: nullable(
    t.String({ description: 'its key' }),
    'its key, which is shown only now; null when replayed is true',
  ),
  ...noticesField,
  ...replayedField,
});

/** Of a new license, what is left out is not there. */
const noted = ({
  note = null,
  customer = null,
  email = null,
  externalId = null,
}: ReturnType<typeof notesIn>) => ({
  note,
  customer,
  email,
  externalId,
});

/**
 * Plans to issue a license as a body wants it.
 *
 * @throws Refusal naming the first field that means nothing
 */
export async function planIssue(
  { db, offer, config }: Pick<AdminParts, 'db' | 'offer' | 'config'>,
  body: Static<typeof WantedLicense>,
  by: Act,
) {
  const planned = await issueLicenses(
    db,
    {
      ...noted(notesIn(body)),
      plan: body.plan,
      isTrial: body.trial ?? false,
      isTest: body.test ?? false,
      sites: body.sites,
      dailyEvents: body.daily_events,
      dailyBytes: body.daily_bytes,
      expires: momentIn('expires_at', body.expires_at),
      allowModules: body.allow_modules ?? [],
      denyModules: body.deny_modules ?? [],
      domains: (body.domains ?? []).map((text, at) => siteDomainIn(`domains[${at}]`, text, config)),
    },
    1,
    offer,
    by,
  );
  return 'refused' in planned
    ? planned
    : { ...planned, facts: { license_id: planned.range }, holdsAnyway: true as const };
}

/** Issues a license. */
export const licenseIssue = (parts: AdminParts) => {
  const answer = async (request: AdminRequest) => {
    const body = request.body as Static<typeof WantedLicense>;
    const done = await act(parts, request, (by) => planIssue(parts, body, by));
    return success({
      ...(await licenseDone(parts, request.caller, String(done.facts.license_id), done)),
      key: done.plan?.keys[0]?.key ?? null,
    });
  };

  return new Elysia()
    .derive(parts.authenticate)
    .derive(requireScope('licenses:write'))
    .onTransform(readJson({ capBytes: 512 * KIB }))
    .onTransform(checkBody(WantedLicense))
    .post('/licenses', async ({ request, set, caller, body }) => answer({ request, set, caller, body }), {
      body: WantedLicense,
      response: answers(
        show(
          IssuedLicense,
          {
            license: EXAMPLE_LICENSE,
            key: 'rdt_live_<shown once>',
            notices: [],
            replayed: false,
          },
          'The license, and its key.',
        ),
        ...TOKEN_CODES,
        ...BODY_CODES,
        ...ACT_CODES,
        'EXTERNAL_ID_TAKEN',
      ),
      detail: {
        operationId: 'issueLicense',
        summary: 'Issue a license',
        description:
          'What is left out is as the plan has it. With an `external_id`, such as the number of an order, a license is found again, ' +
          'and none is issued twice: the second request gets 409 `EXTERNAL_ID_TAKEN` with the license that has it. Scope `licenses:write`.',
        parameters: [IDEMPOTENCY],
        tags: [TAGS.licenses],
        security: SECURITY,
      },
    });
};
