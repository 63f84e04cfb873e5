import { licenseName } from '../../domain/license/license.ts';
import { forgetCustomer } from '../../operator/forget-customer.ts';
import { revocationWarning, revokeLicense } from '../../operator/revoke-license.ts';
import { licenseAct } from './fields.ts';

export const revoke = licenseAct({
  verb: 'revoke',
  about:
    'Its key is refused from the next request on, an old one too, and its credentials are revoked. Nothing takes that back: to stop a ' +
    'license for a while, suspend it.',
  fields: {},
  isFinal: true,
  isReasonNeeded: true,
  api: {
    operationId: 'revokeLicense',
    summary: 'Revoke a license for good',
    body: 'Revocation',
    example: { reason: 'the order was refunded' },
  },
  command: {
    about: 'revoke a license for good',
    example: 'lic_1 --reason "a chargeback"',
    question: 'Revoke it?',
    warning: (license) => (license.revokedAt === null ? revocationWarning(license) : undefined),
  },
  forms: [
    {
      title: 'Revoke for good',
      submit: 'Revoke',
      ask: 'Revoke it for good? Nothing takes that back.',
      sure: 'I know that nothing takes this back',
    },
  ],
  plan: (license, _, by) => revokeLicense(license, by),
});

export const forget = licenseAct({
  verb: 'forget',
  about: 'Customer, e-mail, external id and note go, in the audit log as well. Backups keep what they had.',
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
    about: 'forget customer, e-mail, external id and note of a license, in the audit log as well',
    example: 'lic_1 --reason "asked for by the customer"',
    question: 'Forget it?',
    warning: ({ id }) => `whose license ${licenseName(id)} is will be known nowhere`,
  },
  forms: [
    {
      title: 'Forget whose it is',
      submit: 'Forget',
      ask: 'Forget whose it is? Nothing brings that back.',
      sure: 'I know that nothing brings them back',
    },
  ],
  plan: (license, _, by, { db }) => forgetCustomer(db, license, by),
});
