import { resumeLicense, suspendLicense } from '../../operator/hold-license.ts';
import { HOLD, licenseAct } from './fields.ts';

export const suspend = licenseAct({
  verb: 'suspend',
  title: 'Suspend a license',
  about: 'From its next request, it is limited to the free plan until it is resumed.',
  submit: 'Suspend',
  fields: { hold: HOLD },
  isReasonRequired: true,
  api: {
    operationId: 'suspendLicense',
    body: 'Suspension',
    example: { hold: 'dispute', reason: 'chargeback of order 1042' },
  },
  command: {},
  forms: [
    { ask: 'Suspend this license? Its sites are limited to the free plan from their next request on.' },
  ],
  plan: (license, { hold }, by) => suspendLicense(license, hold, by),
});

export const resume = licenseAct({
  verb: 'resume',
  title: 'Resume a license',
  about: 'Other holds remain. If there is no such hold, nothing changes and a notice says so.',
  submit: 'Resume',
  fields: { hold: HOLD },
  api: {
    operationId: 'resumeLicense',
    summary: 'Lift a hold',
    body: 'Resumption',
    example: { hold: 'dispute', reason: 'dispute won' },
  },
  command: { about: 'lift one suspension of a license; others remain' },
  forms: [{}],
  plan: (license, { hold }, by) => resumeLicense(license, hold, by),
});
