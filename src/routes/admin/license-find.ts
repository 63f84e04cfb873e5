import { type Static, Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { NOTE_CHARACTERS_MAX } from '../../domain/license/customer.ts';
import { refuse } from '../../domain/refusal.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { bodySchema, readJson } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { answers, BODY_CODES, show, success, typed } from '../../http/contract/answers.ts';
import { oneOf, text } from '../../http/fields.ts';
import { checkBody } from '../../http/schema-check.ts';
import { trimInvisible, VISIBLE_PATTERN } from '../../lib/trim-invisible.ts';
import { findLicenses } from '../../operator/find-licenses.ts';
import { shownLicense } from '../../operator/shown-license.ts';
import { LICENSE_MATCHES } from '../../storage/licenses/license-search.ts';
import { PAGE_DEFAULT } from '../fields/page-query.ts';
import { SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import { EXAMPLE_LICENSE, licenseFields } from './fields/license.ts';
import type { AdminParts } from './parts.ts';

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
      Type.Integer({
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

/** Finds licenses by whatever an operator has of them. */
export const licenseFind = ({ authenticate, db, offer, clock }: AdminParts) => {
  const find = async ({ text, limit = PAGE_DEFAULT }: Static<typeof LicenseSearch>) => {
    const sought = trimInvisible(text);
    if (sought === '') throw refuse('INVALID_PAYLOAD', 'text: is blank');
    const now = clock.now();
    const { found, hasMore } = await findLicenses(db, sought, limit, now);
    return success({
      licenses: found.map(({ license, matched }) => ({
        matched,
        ...shownLicense(license, offer.catalog, now),
      })),
      has_more: hasMore,
    });
  };

  return new Elysia()
    .derive(authenticate)
    .derive(requireScope('licenses:read'))
    .onTransform(readJson({ capBytes: 8 * KIB }))
    .onTransform(checkBody(LicenseSearch))
    .post('/licenses/find', async ({ body }) => find(body as Static<typeof LicenseSearch>), {
      body: LicenseSearch,
      response: answers(
        show(
          FoundLicenses,
          { licenses: [{ matched: 'domain', ...EXAMPLE_LICENSE }], has_more: false },
          'Returns the matching licenses, possibly none.',
        ),
        ...TOKEN_CODES,
        ...BODY_CODES,
      ),
      detail: {
        operationId: 'findLicenses',
        summary: 'Search licenses',
        description:
          'The text is sent in the body because it can be a key. Read-only. Scope `licenses:read`.',
        tags: [TAGS.licenses],
        security: SECURITY,
      },
    });
};
