import { licenseStanding } from '../../domain/license/license.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { changeLicense } from '../../operator/change-license.ts';
import { extendLicense } from '../../operator/extend-license.ts';
import { choice, flag, nullable, optional, worded } from '../field.ts';
import {
  ALLOW_MODULES,
  CUSTOMER,
  DAILY_BYTES,
  DAILY_EVENTS,
  DENY_MODULES,
  EMAIL,
  EXPIRES_AT,
  EXTERNAL_ID,
  licenseAct,
  NOTE,
  PLAN,
  SITES,
} from './fields.ts';

const byPlan = (what: string) => ({
  help: `${what} of telemetry stored a day; 0 = no limit, "default" = the plan's`,
  nullWord: 'default',
  label: `${what[0]?.toUpperCase()}${what.slice(1)} a day; blank: as the plan has it`,
});
const removable = (help: string) => ({ help: `${help}; "" removes it`, nullWord: '' });

export const change = licenseAct({
  verb: 'change',
  about: 'What is granted so holds whatever is paid.',
  fields: {
    plan: optional(worded(PLAN, { help: 'another plan' })),
    sites: nullable(
      worded(SITES, {
        help: 'number of sites, or "default" for the plan\'s',
        nullWord: 'default',
        label: 'Sites; blank: as the plan has it',
      }),
    ),
    expires_at: nullable(
      worded(EXPIRES_AT, {
        help: 'moment of expiry, ISO 8601, or "never"',
        nullWord: 'never',
        label: 'Ends at; blank: never',
      }),
    ),
    daily_events: nullable(worded(DAILY_EVENTS, byPlan('events'))),
    daily_bytes: nullable(worded(DAILY_BYTES, byPlan('bytes'))),
    clear_modules: flag({
      about: "true first drops the license's own modules, added and taken away",
      flags: '--clear-modules',
      help: "first drop the license's own modules, added and taken away",
      label: 'first drop its own modules',
    }),
    allow_modules: optional(worded(ALLOW_MODULES, { about: 'modules to add', label: 'Modules to add' })),
    deny_modules: optional(
      worded(DENY_MODULES, { about: 'modules to take away', label: 'Modules to take away' }),
    ),
    note: nullable(worded(NOTE, removable('a note for operators'))),
    customer: nullable(worded(CUSTOMER, removable('whose license it is'))),
    email: nullable(worded(EMAIL, removable("the customer's mailbox"))),
    external_id: nullable(worded(EXTERNAL_ID, removable('what another system calls the license by'))),
  },
  api: {
    operationId: 'changeLicense',
    summary: 'Change the terms of a license, and what is noted of it',
    description:
      'What is left out stays as it is; null takes a note away, leaves a number to the plan, or lets the license never end. What is granted so ' +
      'holds whatever is paid.',
    body: 'LicenseChange',
    example: { expires_at: '2028-11-23T09:30:00Z', reason: 'renewed by order 1311' },
    codes: ['EXTERNAL_ID_TAKEN'],
  },
  command: {
    about: 'change the terms of a license',
    example: 'lic_1 --plan pro --expires 2027-12-31 --dry-run',
    options: [
      ...['plan', 'sites', 'expires_at', 'note', 'customer', 'email', 'external_id'],
      ...['allow_modules', 'deny_modules', 'clear_modules', 'daily_events', 'daily_bytes'],
    ],
    hasDryRun: true,
  },
  forms: [
    {
      title: 'Change the terms',
      submit: 'Change',
      fields: [
        ...['plan', 'sites', 'expires_at', 'daily_events', 'daily_bytes'],
        ...['clear_modules', 'allow_modules', 'deny_modules'],
      ],
    },
    {
      title: 'Note whose it is',
      about: '',
      submit: 'Note',
      fields: ['customer', 'email', 'external_id', 'note'],
    },
  ],
  plan: (license, wanted, by, { db, offer }) =>
    changeLicense(
      db,
      license,
      {
        ...{ note: wanted.note, customer: wanted.customer, email: wanted.email },
        externalId: wanted.external_id,
        ...{ plan: wanted.plan, sites: wanted.sites, expires: wanted.expires_at },
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

/** By a command, to a moment. */
export const extend = licenseAct({
  verb: 'extend',
  fields: { expires_at: worded(EXPIRES_AT, { help: 'moment of expiry, ISO 8601' }) },
  command: {
    about: 'set another expiry, which holds whatever is paid',
    example: 'lic_1 --expires 2027-12-31T00:00:00Z',
  },
  plan: (license, { expires_at }, by) => extendLicense(license, expires_at, by),
});

const PERIODS = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
] as const;

/** By a form, for a while. */
export const extendBy = licenseAct({
  verb: 'extend',
  about: 'From its end on, or from now where it has ended.',
  fields: { days: choice(['30', '90', '365'], { label: 'By', first: '365', shown: PERIODS }) },
  forms: [{ title: 'Extend', submit: 'Extend' }],
  plan(license, { days }, by, { offer }) {
    const { expiresAt } = licenseStanding(license, offer.catalog, by.now);
    if (expiresAt === null) return { refused: 'it has no end that could be later' };
    return extendLicense(license, Math.max(expiresAt, by.now) + Number(days) * DAY_MS, by);
  },
});
