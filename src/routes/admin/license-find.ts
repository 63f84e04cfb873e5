import { Type as t } from '@sinclair/typebox';
import { NOTE_CHARACTERS_MAX } from '../../domain/license/customer.ts';
import { refuse } from '../../domain/refusal.ts';
import { bodySchema } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { show, typed } from '../../http/contract/answers.ts';
import { oneOf, text } from '../../http/fields.ts';
import { jsonBody } from '../../http/route/index.ts';
import { trimInvisible, VISIBLE_PATTERN } from '../../lib/trim-invisible.ts';
import { findLicenses } from '../../operator/find-licenses.ts';
import { shownLicense } from '../../operator/shown-license.ts';
import { LICENSE_MATCHES } from '../../storage/licenses/license-search.ts';
import { PAGE_DEFAULT } from '../fields/page-query.ts';
import type { Parts } from '../parts.ts';
import { TAGS } from './contract.ts';
import { EXAMPLE_LICENSE, licenseFields } from './fields/license.ts';
import { tokenRoute } from './token-route.ts';

const LIMIT_MAX = 200;

const LicenseSearch = bodySchema(
  'LicenseSearch',
  {
    text: text({
      minLength: 1,
      maxLength: NOTE_CHARACTERS_MAX,
      pattern: VISIBLE_PATTERN,
      description:
        'ID, complete key or its last four characters, registered or blocked domain, external ID, or part of an e-mail address, customer name or note',
    }),
    limit: t.Optional(
      t.Integer({
        minimum: 1,
        maximum: LIMIT_MAX,
        default: PAGE_DEFAULT,
        description: 'maximum number of results',
      }),
    ),
  },
  { text: 'shop.example.com' },
);

const FoundLicenses = typed('FoundLicenses', {
  licenses: t.Array(
    typed('FoundLicense', {
      matched: oneOf(LICENSE_MATCHES, 'field that equals or contains the text', 'LicenseMatch'),
      ...licenseFields,
    }),
    { description: 'matching licenses, best match first, without duplicates' },
  ),
  has_more: t.Boolean({ description: 'whether there are more results; narrow the search' }),
});

export const licenseFind = tokenRoute({
  at: 'POST /licenses/find',
  scope: 'licenses:read',
  body: jsonBody({ schema: LicenseSearch, capBytes: 8 * KIB }),
  operationId: 'findLicenses',
  summary: 'Search licenses',
  description: 'The text is sent in the body because it can be a key. Read-only. Scope `licenses:read`.',
  tag: TAGS.licenses,
  answer: show(
    FoundLicenses,
    { licenses: [{ matched: 'domain', ...EXAMPLE_LICENSE }], has_more: false },
    'Returns the matching licenses, possibly none.',
  ),
  handle: async (
    { body: { text, limit = PAGE_DEFAULT } },
    { db, offer, clock }: Parts<'clock' | 'db' | 'offer'>,
  ) => {
    const sought = trimInvisible(text);
    if (sought === '') throw refuse('INVALID_PAYLOAD', 'text: is blank');
    const now = clock.now();
    const { found, hasMore } = await findLicenses(db, sought, limit, now);
    return {
      licenses: found.map(({ license, matched }) => ({
        matched,
        ...shownLicense(license, offer.catalog, now),
      })),
      has_more: hasMore,
    };
  },
});
