import { resumeLicense, suspendLicense } from '../../operator/hold-license.ts';
import { HOLD, licenseAct } from './fields.ts';

export const suspend = licenseAct({
  verb: 'suspend',
  about: 'From the next request on it may do what the plan free may, until the hold is lifted.',
  fields: { hold: HOLD },
  isReasonNeeded: true,
  api: {
    operationId: 'suspendLicense',
    summary: 'Suspend a license',
    body: 'Suspension',
    example: { hold: 'dispute', reason: 'chargeback of order 1042' },
  },
  command: {
    about: 'put a hold on a license',
    example: 'lic_1 --hold operator --reason "unpaid since May"',
  },
  forms: [
    {
      title: 'Suspend',
      submit: 'Suspend',
      ask: 'Suspend it? Its sites are told from their next request on.',
    },
  ],
  plan: (license, { hold }, by) => suspendLicense(license, hold, by),
});

export const resume = licenseAct({
  verb: 'resume',
  about: 'Other holds stay. Where there is no such hold, nothing changes, and a notice says so.',
  fields: { hold: HOLD },
  api: {
    operationId: 'resumeLicense',
    summary: 'Lift a hold',
    body: 'Resumption',
    example: { hold: 'dispute', reason: 'the dispute is won' },
  },
  command: { about: 'lift a hold; other holds stay', example: 'lic_1 --hold operator' },
  forms: [{ title: 'Lift a hold', submit: 'Lift it' }],
  plan: (license, { hold }, by) => resumeLicense(license, hold, by),
});
