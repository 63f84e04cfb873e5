import { licenseStanding } from '../../domain/license/license.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { changeLicense } from '../../operator/change-license.ts';
import { extendLicense } from '../../operator/extend-license.ts';
import { choice, flag, nullable, optional, worded } from '../field.ts';
import { licenseAct, TERMS } from './fields.ts';

export const change = licenseAct({
  verb: 'change',
  title: 'Change the terms of a license',
  about: 'Overrides the subscription.',
  fields: {
    plan: optional(TERMS.plan),
    sites: nullable(TERMS.sites, 'default'),
    expires_at: nullable(TERMS.expires_at, 'never'),
    daily_events: nullable(TERMS.daily_events, 'default'),
    daily_bytes: nullable(TERMS.daily_bytes, 'default'),
    clear_modules: flag({
      about: 'true: first clear the modules added to and removed from the plan',
      flags: '--clear-modules',
      help: 'first clear the modules added to and removed from the plan',
      label: 'reset added and removed modules first',
    }),
    allow_modules: optional(
      worded(TERMS.allow_modules, { about: 'modules to add', label: 'Modules to add' }),
    ),
    deny_modules: optional(
      worded(TERMS.deny_modules, { about: 'modules to remove', label: 'Modules to remove' }),
    ),
    note: nullable(TERMS.note, ''),
    customer: nullable(TERMS.customer, ''),
    email: nullable(TERMS.email, ''),
    external_id: nullable(TERMS.external_id, ''),
  },
  api: {
    operationId: 'changeLicense',
    summary: 'Change the terms and the customer of a license',
    description:
      'Omitted fields do not change. null removes a note, resets a number to that of the plan, or removes the expiry. Terms ' +
      'granted here remain when payments end.',
    body: 'LicenseChange',
    example: { expires_at: '2028-11-23T09:30:00Z', reason: 'renewed by order 1311' },
    codes: ['EXTERNAL_ID_TAKEN'],
  },
  command: { example: '--plan pro --expires 2027-12-31 --dry-run', hasDryRun: true },
  forms: [
    {
      submit: 'Change',
      fields: [
        ...['plan', 'sites', 'expires_at', 'daily_events', 'daily_bytes'],
        ...['clear_modules', 'allow_modules', 'deny_modules'],
      ],
    },
    {
      title: 'Change the customer',
      about: '',
      submit: 'Save',
      fields: ['customer', 'email', 'external_id', 'note'],
    },
  ],
  plan: (license, wanted, by, { db, offer }) =>
    changeLicense(
      db,
      license,
      {
        note: wanted.note,
        customer: wanted.customer,
        email: wanted.email,
        externalId: wanted.external_id,
        plan: wanted.plan,
        sites: wanted.sites,
        expires: wanted.expires_at,
        dailyEvents: wanted.daily_events,
        dailyBytes: wanted.daily_bytes,
        clearModules: wanted.clear_modules,
        allowModules: wanted.allow_modules ?? [],
        denyModules: wanted.deny_modules ?? [],
      },
      offer,
      by,
    ),
});

/** The command, which takes a date. */
export const extend = licenseAct({
  verb: 'extend',
  title: 'Set a new expiry date; overrides billing',
  fields: { expires_at: TERMS.expires_at },
  command: { example: '--expires 2027-12-31T00:00:00Z' },
  plan: (license, { expires_at }, by) => extendLicense(license, expires_at, by),
});

const PERIODS = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
] as const;

/** The form in the console, which takes a period. */
export const extendBy = licenseAct({
  verb: 'extend',
  title: 'Extend a license',
  about: 'From its expiry date, or from now if it has expired.',
  submit: 'Extend',
  fields: { days: choice(['30', '90', '365'], { label: 'By', first: '365', shown: PERIODS }) },
  forms: [{}],
  plan(license, { days }, by, { offer }) {
    const { expiresAt } = licenseStanding(license, offer.catalog, by.now);
    if (expiresAt === null) return { refused: 'it never expires, so it cannot be extended' };
    return extendLicense(license, Math.max(expiresAt, by.now) + Number(days) * DAY_MS, by);
  },
});
