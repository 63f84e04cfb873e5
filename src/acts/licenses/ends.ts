import { licenseName } from '../../domain/license/license-name.ts';
import { forgetCustomer } from '../../operator/forget-customer.ts';
import { revocationWarning, revokeLicense } from '../../operator/revoke-license.ts';
import { licenseAct } from './fields.ts';

export const revoke = licenseAct({
  verb: 'revoke',
  title: 'Revoke a license permanently',
  about:
    'Its keys are refused from the next request, and its credentials are revoked. This cannot be undone: to stop a license for a while, ' +
    'suspend it.',
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
      ask: 'Revoke this license permanently? This cannot be undone.',
      sure: 'I understand that this cannot be undone',
    },
  ],
  plan: (license, _, by) => revokeLicense(license, by),
});

export const forget = licenseAct({
  verb: 'forget',
  title: 'Delete the customer of a license',
  about:
    'Deletes customer, e-mail, external id, note and refused domains, in the audit log too. Existing backups still contain them.',
  submit: 'Delete',
  fields: {},
  isFinal: true,
  api: {
    operationId: 'forgetCustomer',
    summary: 'Delete the customer of a license',
    description:
      'Deletes customer, e-mail, external id, note and refused domains, in the audit log too. The license itself remains.',
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
