import { GRACE_DAYS_MAX } from '../../domain/license/license-key.ts';
import { TRIAL_DAYS } from '../../domain/license/trial.ts';
import { HOUR_MS, isoOrNull } from '../../lib/clock.ts';
import { issueLicenses, type PlannedBatch } from '../../operator/issue-licenses.ts';
import { rotateKey } from '../../operator/rotate-key.ts';
import { readPreviousKeys } from '../../storage/licenses/previous-keys.ts';
import type { ActDefinition } from '../act.ts';
import { actsOn } from '../act.ts';
import { domains, flag, hours, type InputOf, nullable, optional, worded } from '../field.ts';
import { licenseAct, TERMS } from './fields.ts';

const WANTED = {
  plan: worded(TERMS.plan, { first: 'pro' }),
  domains: optional(
    domains({
      about: 'domains to register at once; others are registered on first use',
      flags: '--domain <domain>',
      help: 'register a domain at once',
      label: 'Domains, separated by spaces; others are registered on first use',
      max: 1_000,
    }),
  ),
  trial: flag({
    about: `whether it is a trial, which expires in ${TRIAL_DAYS} days unless expires_at is given`,
    flags: '--trial',
    help: `trial; expires in ${TRIAL_DAYS} days without --expires`,
    label: `trial; expires in ${TRIAL_DAYS} days without an expiry date`,
  }),
  test: flag({
    about: 'whether it is for development: not bound to domains, not counted in the feed',
    flags: '--test',
    help: 'for development: not bound to domains, not counted in the feed',
    label: 'for development: not bound to domains, not counted in the feed',
  }),
  sites: optional(TERMS.sites),
  expires_at: nullable(
    worded(TERMS.expires_at, {
      aboutNull:
        'expiry time, such as 2027-12-31 (its start, UTC) or another ISO 8601 form with an offset; null or absent: never',
    }),
  ),
  daily_events: optional(TERMS.daily_events),
  daily_bytes: optional(TERMS.daily_bytes),
  allow_modules: optional(worded(TERMS.allow_modules, { about: 'modules to add to those of its plan' })),
  deny_modules: optional(worded(TERMS.deny_modules, { about: 'modules of its plan to remove' })),
  note: nullable(TERMS.note),
  customer: nullable(TERMS.customer),
  email: nullable(TERMS.email),
  external_id: nullable(TERMS.external_id),
};

/** The terms of the requested license. */
export const wantedLicense = (input: InputOf<typeof WANTED>) => ({
  plan: input.plan,
  isTrial: input.trial ?? false,
  isTest: input.test ?? false,
  sites: input.sites,
  expires: input.expires_at,
  dailyEvents: input.daily_events,
  dailyBytes: input.daily_bytes,
  allowModules: input.allow_modules ?? [],
  denyModules: input.deny_modules ?? [],
  domains: input.domains ?? [],
  note: input.note ?? null,
  customer: input.customer ?? null,
  email: input.email ?? null,
  externalId: input.external_id ?? null,
});

export const ISSUE_FORM = {
  fields: [
    ...['plan', 'domains', 'sites', 'expires_at', 'trial', 'test'],
    ...['customer', 'email', 'external_id', 'note'],
  ],
};

export const issue = actsOn<null>()({
  verb: 'issue',
  title: 'Issue a license',
  shown: () => 'The license is issued. Give this key to its customer. It is shown only once:',
  fields: WANTED,
  holdsAnyway: true,
  api: {
    operationId: 'issueLicense',
    description:
      'Omitted fields are as in the plan. An `external_id`, such as an order number, makes the request safe to repeat: ' +
      'a second one gets 409 `EXTERNAL_ID_TAKEN` with the license that has it.',
    body: 'WantedLicense',
    example: {
      plan: 'pro',
      domains: ['shop.example.com'],
      expires_at: '2027-11-23T09:30:00Z',
      customer: 'Example Ltd',
      email: 'owner@example.com',
      external_id: 'order-1042',
    },
    codes: ['EXTERNAL_ID_TAKEN'],
  },
  command: {
    about: 'issue a license and print its key once',
    example:
      '--plan pro --domain example.com --note "Example Ltd"\n  redoubt license issue --plan starter --count 500 --out keys.csv',
  },
  forms: [ISSUE_FORM],
  async plan(_, input, by, { db, offer }) {
    const planned = await issueLicenses(db, wantedLicense(input), 1, offer, by);
    return 'refused' in planned ? planned : { ...planned, facts: { license_id: planned.range } };
  },
});

/** Maximum number of licenses that one form or request issues. Commands may issue more. */
export const ISSUED_TOGETHER_MAX = 1_000;

/** Returns the act that issues several licenses with the same terms. Its plan contains their keys. */
export const issueSeveral = (
  count: number,
): ActDefinition<null, Parameters<typeof wantedLicense>[0], PlannedBatch> => {
  const { holdsAnyway: _, ...words } = issue;
  return {
    ...words,
    plan(_target, input, by, { db, offer }) {
      const wanted = wantedLicense(input);
      return wanted.domains.length > 0 || wanted.externalId !== null
        ? { refused: 'domains and an external ID apply to one license. Leave them empty, or import a file' }
        : issueLicenses(db, wanted, count, offer, by);
    },
  };
};

export const rotate = licenseAct({
  verb: 'rotate',
  title: 'Rotate the key of a license',
  about: 'The current key keeps working for the hours given, so that sites can be updated one after another.',
  submit: 'Rotate key',
  shown: () => 'This is the new key. It is shown only once:',
  fields: {
    grace_hours: optional(
      hours({
        about: 'hours that the current key keeps working; 0 or absent: it stops immediately',
        flags: '--grace <time>',
        help: 'keep the old key working for a time such as 24h or 7d, up to 30d; ends an earlier grace period',
        label: 'Hours the current key keeps working (0: it stops at once)',
        first: '24',
        max: GRACE_DAYS_MAX * 24,
        what: 'the grace period',
      }),
    ),
  },
  api: {
    operationId: 'rotateKey',
    summary: 'Rotate the key of a license',
    description:
      'With a grace period, the current key keeps working for that long, so that sites can be updated one after another; a second ' +
      'rotation ends it.',
    body: 'Rotation',
    example: { grace_hours: 24, reason: 'the customer lost the key' },
  },
  command: { about: 'rotate the key; --grace 24h keeps the old one working' },
  forms: [{ ask: 'Rotate the key? The current one stops after the hours given.' }],
  async plan(license, { grace_hours: hours = 0 }, by, { db }) {
    const previous = await readPreviousKeys(db)(license.id, by.now);
    const planned = rotateKey(license, previous, hours * HOUR_MS, by);
    return 'refused' in planned
      ? planned
      : { ...planned, facts: { old_key_works_until: isoOrNull(planned.oldWorksUntil) } };
  },
});
