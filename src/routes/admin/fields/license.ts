import { type TSchema, Type as t } from '@sinclair/typebox';
import { PLANS } from '../../../domain/license/catalog.ts';
import { HOLDS, LICENSE_STATES } from '../../../domain/license/license.ts';
import { HOLD_DETAILS } from '../../../domain/payment/hold-cause.ts';
import { closed, nullable, timestamp, typed } from '../../../http/contract/answers.ts';
import { count, meanings, oneOf } from '../../../http/fields.ts';
import { pathParameter } from '../../../http/route/index.ts';
import type { ShownLicense } from '../../../operator/shown-license.ts';

export const LicenseId = t.String({
  pattern: '^lic_[1-9][0-9]{0,14}$',
  description: 'license ID',
});

export const PlanName = oneOf(PLANS, 'plan', 'Plan');

export const HoldName = oneOf(
  HOLDS,
  meanings('Suspension reason; each is lifted separately', {
    payment: 'missing payment.',
    dispute: 'disputed payment, such as a chargeback.',
    operator: 'any other reason.',
  }),
  'Hold',
);

export const HoldDetails = t.Array(
  oneOf(
    HOLD_DETAILS,
    meanings('Payment reason of a suspension', {
      past_due: 'missing payment; the license is suspended at the end of the grace period.',
      unpaid: 'missing payment.',
      paused: 'payment collection is paused; invoices are voided.',
      refunded: 'the invoice of the license was fully refunded.',
      disputed: 'disputed payment.',
    }),
    'HoldDetail',
  ),
  { description: 'suspension reasons from the payment processor, except those lifted by an operator' },
);

export const LicenseStateName = oneOf(
  LICENSE_STATES,
  meanings('License status', {
    active: 'valid.',
    trial: 'valid until the trial ends.',
    pending: 'trial without a confirmed card; not valid.',
    suspended: 'not valid until every hold is lifted.',
    expired: 'not valid until the expiry date is changed.',
    revoked: 'permanently invalid.',
  }),
  'LicenseState',
);

export const LICENSE_ID = pathParameter('licenseId', 'license ID, such as lic_1');

/** Marks a field as returned only to tokens that may read licenses. */
const readOnly = <Schema extends TSchema>(schema: Schema) =>
  t.Optional({ ...schema, description: `${schema.description}; only with the scope \`licenses:read\`` });

const list = (description: string) => t.Array(t.String(), { description });
const when = (description: string) => nullable(timestamp(description));

export const licenseFields = {
  license_id: LicenseId,
  key: t.String({ description: 'masked key' }),
  status: LicenseStateName,
  kind: oneOf(['paid', 'trial'], 'paid or trial'),
  environment: oneOf(
    ['live', 'test'],
    '`live`, or `test` for development: not bound to domains, not counted in the feed',
  ),
  plan: PlanName,
  sites_allowed: count('maximum number of sites'),
  domains: list('registered domains, in the order of registration'),
  blocked_domains: list('blocked domains'),
  modules_allowed: list('modules added to those of the plan'),
  modules_denied: list('modules of the plan that were removed'),
  holds: t.Array(HoldName, { description: 'suspension reasons' }),
  payment_hold_from: when('time from which the license is suspended for a missing payment'),
  subscription: nullable(t.String({ description: 'ID of the subscription' })),
  created_at: timestamp('time of issue'),
  expires_at: when('expiry time; null: never'),
  granted_plan: nullable(t.String({ description: 'plan granted by an operator, independent of payments' })),
  granted_until: when('end of the grant'),
  revoked_at: when('revocation time'),
  note: nullable(t.String({ description: 'note for operators' })),
  customer: nullable(t.String({ description: 'customer name' })),
  email: nullable(t.String({ description: 'e-mail address of the customer' })),
  external_id: nullable(t.String({ description: 'ID in your own system' })),
};

/** A license as shown to operators. */
export const License = typed('License', licenseFields);

/** A license after an act. Customer and sites are returned only to tokens that may read licenses. */
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
  'current state of the license; customer and sites only with the scope `licenses:read`',
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
