import { Type as t } from '@sinclair/typebox';
import { KIB } from '../../http/context.ts';
import { nullable, show, timestamp, typed } from '../../http/contract/answers.ts';
import { TAGS } from '../../routes/admin/contract.ts';
import { licenseAt, licenseDone, noticesField, replayedField } from '../../routes/admin/fields/act.ts';
import { ChangedLicense, EXAMPLE_LICENSE, LICENSE_ID } from '../../routes/admin/fields/license.ts';
import type { Parts } from '../../routes/parts.ts';
import { actRoute } from '../route.ts';
import { LICENSE_ACTS } from './acts.ts';
import { issue, rotate } from './keys.ts';

const [LICENSE, KEY, DONE] = [
  { license: EXAMPLE_LICENSE },
  { key: 'rdt_live_<shown once>' },
  { notices: [], replayed: false },
];

const LicenseActDone = typed('LicenseActDone', {
  license: ChangedLicense,
  ...noticesField,
  ...replayedField,
});

const RotatedKey = typed('RotatedKey', {
  license: ChangedLicense,
  key: nullable(
    t.String({ description: 'new license key' }),
    'new license key, returned only once; null if replayed is true',
  ),
  old_key_works_until: nullable(
    timestamp('time until which the old key works'),
    'time until which the old key works; null if it no longer works',
  ),
  ...noticesField,
  ...replayedField,
});

const IssuedLicense = typed('IssuedLicense', {
  license: ChangedLicense,
  key: nullable(
    t.String({ description: 'license key' }),
    'license key, returned only once; null if replayed is true',
  ),
  ...noticesField,
  ...replayedField,
});

const COMMON = { scope: 'licenses:write', tag: TAGS.licenses } as const;
const ON_ONE = {
  ...COMMON,
  capBytes: 16 * KIB,
  parameters: [LICENSE_ID],
  codes: ['LICENSE_NOT_FOUND'],
} as const;

type LicenseParts = Parts<'clock' | 'db' | 'offer'>;

/** Returns a function that finds the license named in a path. */
const findIn =
  (parts: Parts<'db'>) =>
  ({ licenseId = '' }: Readonly<Record<string, string>>) =>
    licenseAt(parts, licenseId);

/** Operations that issue a license, and those on one license. */
export const licenseActRoutes = [
  actRoute(
    issue,
    {
      ...COMMON,
      path: '/licenses',
      capBytes: 512 * KIB,
      isBodyNeeded: true,
      done: show(IssuedLicense, { ...LICENSE, ...KEY, ...DONE }, 'Returns the license and its key.'),
    },
    (parts: LicenseParts) => ({
      find: () => null,
      answer: async ({ caller }, _, done) => ({
        ...(await licenseDone(parts, caller, String(done.facts.license_id), done)),
        key: done.plan?.keys[0]?.key ?? null,
      }),
    }),
  ),
  actRoute(
    rotate,
    {
      ...ON_ONE,
      path: '/licenses/:licenseId/rotate',
      done: show(
        RotatedKey,
        { ...LICENSE, ...KEY, old_key_works_until: '2026-11-24T09:30:00.000Z', ...DONE },
        'Returns the license and its new key.',
      ),
    },
    (parts: LicenseParts) => ({
      find: findIn(parts),
      answer: async ({ caller }, { licenseId = '' }, done) => ({
        ...(await licenseDone(parts, caller, licenseId, done)),
        key: done.plan?.key ?? null,
        old_key_works_until: done.facts.old_key_works_until,
      }),
    }),
  ),
  ...LICENSE_ACTS.filter(({ api, verb }) => api && verb !== rotate.verb).map((act) =>
    actRoute(
      act,
      {
        ...ON_ONE,
        path: `/licenses/:licenseId/${act.verb}`,
        done: show(LicenseActDone, { ...LICENSE, ...DONE }, 'Returns the updated license.'),
      },
      (parts: LicenseParts) => ({
        find: findIn(parts),
        answer: ({ caller }, { licenseId = '' }, done) => licenseDone(parts, caller, licenseId, done),
      }),
    ),
  ),
];
