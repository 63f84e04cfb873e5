import { PLANS } from '../../domain/license/catalog.ts';
import {
  CUSTOMER_CHARACTERS_MAX,
  EXTERNAL_ID_CHARACTERS_MAX,
  NOTE_CHARACTERS_MAX,
} from '../../domain/license/customer.ts';
import { HOLDS } from '../../domain/license/license.ts';
import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import { actsOn } from '../act.ts';
import { choice, domain, email, line, modules, moment, number } from '../field.ts';

export const licenseAct = actsOn<LicenseRecord>();

// The fields of acts on licenses.

const DAILY_MAX = 999_999_999_999;

export const HOLD = choice(HOLDS, {
  type: 'Hold',
  flags: '--hold <hold>',
  help: 'reason for the suspension',
  label: 'Reason for the suspension',
  shown: [
    ['operator', 'anything else'],
    ['payment', 'a missing payment'],
    ['dispute', 'a disputed payment'],
  ],
});

const DOMAIN = { flags: '--domain <domain>', help: 'domain', label: 'Domain' } as const;
export const ANY_DOMAIN = domain({ ...DOMAIN, isBound: false });
/** A domain that counts as a site. */
export const SITE_DOMAIN = domain({ ...DOMAIN, isBound: true });

/** The terms and notes of a license. */
export const TERMS = {
  plan: choice(PLANS, { type: 'Plan', flags: '--plan <plan>', help: 'plan', label: 'Plan' }),
  sites: number({
    about: 'number of sites; overrides the plan',
    flags: '--sites <number>',
    help: 'number of sites; overrides the plan',
    label: 'Sites (blank: as in the plan)',
    max: 999_999,
    what: 'the number of sites',
  }),
  expires_at: moment({
    about: 'expiry time',
    flags: '--expires <iso>',
    help: 'expiry date or time, ISO 8601',
    label: 'Expires (blank: never)',
    hint: '2027-11-23',
  }),
  daily_events: number({
    about: 'telemetry events stored per day; 0 = no limit',
    flags: '--daily-events <number>',
    label: 'Events per day (blank: as in the plan)',
    max: DAILY_MAX,
    what: 'the daily events',
  }),
  daily_bytes: number({
    about: 'bytes of telemetry and signals stored per day; 0 = no limit',
    flags: '--daily-bytes <number>',
    label: 'Bytes per day (blank: as in the plan)',
    max: DAILY_MAX,
    what: 'the daily bytes',
  }),
  allow_modules: modules({ flags: '--allow-module <module>', help: 'add a module' }),
  deny_modules: modules({ flags: '--deny-module <module>', help: 'remove a module' }),
  note: line({
    about: 'note for operators',
    flags: '--note <text>',
    label: 'Note',
    max: NOTE_CHARACTERS_MAX,
  }),
  customer: line({
    about: 'name of the customer; licenses of one customer count once in the feed',
    flags: '--customer <name>',
    help: 'name of the customer; licenses of one customer count once in the feed',
    label: 'Customer',
    max: CUSTOMER_CHARACTERS_MAX,
  }),
  email: email({
    about: 'e-mail address of the customer; licenses of one address count once in the feed',
    flags: '--email <address>',
    help: 'e-mail address of the customer; licenses of one address count once in the feed',
    label: 'E-mail',
  }),
  external_id: line({
    about: 'ID in your own system; unique among licenses that are not revoked',
    flags: '--external-id <id>',
    help: 'id in your own system; unique among licenses that are not revoked',
    label: 'ID in your own system',
    max: EXTERNAL_ID_CHARACTERS_MAX,
  }),
};
