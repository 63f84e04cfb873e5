import { type TSchema, Type } from '@sinclair/typebox';
import { t } from 'elysia';
import { PLANS } from '../../../domain/license/catalog.ts';
import { HOLDS, LICENSE_STATES } from '../../../domain/license/license.ts';
import { HOLD_DETAILS } from '../../../domain/payment/hold-cause.ts';
import { closed, nullable, timestamp, typed } from '../../../http/contract/answers.ts';
import { meanings, oneOf } from '../../../http/fields.ts';
import type { ShownLicense } from '../../../operator/shown-license.ts';

export const LicenseId = t.String({
  pattern: '^lic_[1-9][0-9]{0,14}$',
  description: 'what a license is called',
});

export const PlanName = oneOf(PLANS, 'what the license includes', 'Plan');

export const HoldName = oneOf(
  HOLDS,
  meanings('What a suspension is for; each is lifted by itself', {
    payment: 'a payment is missing.',
    dispute: 'a payment is disputed, as by a chargeback.',
    operator: 'anything else.',
  }),
  'Hold',
);

export const HoldDetails = t.Array(
  oneOf(
    HOLD_DETAILS,
    meanings('Why the payment processor holds a license', {
      past_due: 'a payment is missing; the license is suspended when its grace period ends.',
      unpaid: 'a payment is missing.',
      paused: 'the collection of payments is paused, and invoices are voided.',
      refunded: 'all of the invoice that pays for it was refunded.',
      disputed: 'a payment is disputed.',
    }),
    'HoldDetail',
  ),
  { description: 'why the payment processor holds it, but for what an operator has lifted' },
);

export const LicenseStateName = oneOf(
  LICENSE_STATES,
  meanings('What a license is worth now', {
    active: 'valid.',
    trial: 'valid, until its trial ends.',
    pending: 'a trial that waits for its card; not valid.',
    suspended: 'held; not valid, and resumed by lifting every hold.',
    expired: 'ended; not valid, and back once its end is changed.',
    revoked: 'ended for good.',
  }),
  'LicenseState',
);

/** The path piece that names a license. */
export const LICENSE_ID = {
  name: 'licenseId',
  in: 'path' as const,
  required: true,
  description: 'a license, such as lic_1',
  schema: { type: 'string' as const },
};

/** A field that needs another scope than the act does. */
const readOnly = <Schema extends TSchema>(schema: Schema) =>
  t.Optional({ ...schema, description: `${schema.description}; only with the scope \`licenses:read\`` });

const list = (description: string) => t.Array(t.String(), { description });
const when = (description: string) => nullable(timestamp(description));

export const licenseFields = {
  license_id: LicenseId,
  key: t.String({ description: 'as much of its key as is shown again' }),
  status: LicenseStateName,
  kind: oneOf(['paid', 'trial'], 'whether it is a trial'),
  environment: oneOf(
    ['live', 'test'],
    '`test` for development: bound to no domains, counts for nothing in the feed',
  ),
  plan: PlanName,
  sites_allowed: Type.Integer({ minimum: 0, description: 'how many sites it may have' }),
  domains: list('registered ones, in the order of their registration'),
  blocked_domains: list('those that it may not register'),
  modules_allowed: list('modules beside those of its plan'),
  modules_denied: list('modules of its plan that it has not'),
  holds: t.Array(HoldName, { description: 'why it is suspended' }),
  payment_hold_from: when('from when a missing payment holds it'),
  subscription: nullable(t.String({ description: 'the subscription that pays for it' })),
  created_at: timestamp('when it was issued'),
  expires_at: when('when it ends; null = never'),
  granted_plan: nullable(t.String({ description: 'the plan that an operator granted, whatever is paid' })),
  granted_until: when('until when that was granted'),
  revoked_at: when('when it was revoked'),
  note: nullable(t.String({ description: 'a note for operators' })),
  customer: nullable(t.String({ description: 'whose license it is' })),
  email: nullable(t.String({ description: "the customer's mailbox" })),
  external_id: nullable(t.String({ description: 'what another system calls it by' })),
};

/** A license as operators see it. */
export const License = typed('License', licenseFields);

/** The license after an act. Its customer and sites are for tokens that may read licenses. */
export const ChangedLicense = closed(
  {
    ...licenseFields,
    domains: readOnly(licenseFields.domains),
    blocked_domains: readOnly(licenseFields.blocked_domains),
    subscription: readOnly(licenseFields.subscription),
    note: readOnly(licenseFields.note),
    customer: readOnly(licenseFields.customer),
    email: readOnly(licenseFields.email),
    external_id: readOnly(licenseFields.external_id),
  },
  'the license as it is now; its customer and its sites only with the scope `licenses:read`',
  'ChangedLicense',
);

/** Removes the customer and the sites of a license. */
export function withoutCustomer(license: ShownLicense) {
  const { domains, blocked_domains, subscription, note, customer, email, external_id, ...terms } = license;
  return terms;
}

export const EXAMPLE_LICENSE: ShownLicense = {
  license_id: 'lic_1',
  key: 'rdt_live_…x7Qp',
  status: 'active',
  kind: 'paid',
  environment: 'live',
  plan: 'pro',
  sites_allowed: 10,
  domains: ['shop.example.com'],
  blocked_domains: [],
  modules_allowed: [],
  modules_denied: [],
  holds: [],
  payment_hold_from: null,
  subscription: null,
  created_at: '2026-11-23T09:30:00.000Z',
  expires_at: '2027-11-23T09:30:00.000Z',
  granted_plan: 'pro',
  granted_until: '2027-11-23T09:30:00.000Z',
  revoked_at: null,
  note: null,
  customer: 'Example Ltd',
  email: 'owner@example.com',
  external_id: 'order-1042',
};
