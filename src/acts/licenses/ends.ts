import { licenseName } from '../../domain/license/license-name.ts';
import { forgetCustomer } from '../../operator/forget-customer.ts';
import { revocationWarning, revokeLicense } from '../../operator/revoke-license.ts';
import { licenseAct } from './fields.ts';

export const revoke = licenseAct({
  verb: 'revoke',
  title: 'Revoke a license for good',
  about:
    'Its key is refused from the next request on, an old one too, and its credentials are revoked. Nothing takes that back: to stop a ' +
    'license for a while, suspend it.',
  submit: 'Revoke',
  fields: {},
  isFinal: true,
  isReasonRequired: true,
  api: { operationId: 'revokeLicense', body: 'Revocation', example: { reason: 'the order was refunded' } },
  command: {
    question: 'Revoke it?',
    warning: (license) => (license.revokedAt === null ? revocationWarning(license) : undefined),
  },
  forms: [
    {
      ask: 'Revoke this license for good? This cannot be undone.',
      sure: 'I understand that this cannot be undone',
    },
  ],
  plan: (license, _, by) => revokeLicense(license, by),
});

export const forget = licenseAct({
  verb: 'forget',
  title: 'Delete the customer of a license',
  about: 'Customer, e-mail, external id and note go, in the audit log as well. Backups keep what they had.',
  submit: 'Delete',
  fields: {},
  isFinal: true,
  api: {
    operationId: 'forgetCustomer',
    summary: 'Forget whose license it is',
    description: 'Customer, e-mail, external id and note go, in the audit log as well. The license stays.',
    body: 'Forgetting',
    example: { reason: 'request for erasure' },
  },
  command: {
    about: 'delete customer, e-mail, external id and note of a license, in the audit log too',
    question: 'Delete them?',
    warning: ({ id }) => `customer, e-mail, external id and note of ${licenseName(id)} will be deleted`,
  },
  forms: [
    {
      ask: 'Delete the customer of this license? This cannot be undone.',
      sure: 'I understand that this cannot be undone',
    },
  ],
  plan: (license, _, by, { db }) => forgetCustomer(db, license, by),
});
