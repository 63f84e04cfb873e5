import type { Static } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { refuse } from '../../domain/refusal.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { bodySchema, readJson } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { answers, BODY_CODES, closed, show, success } from '../../http/contract/answers.ts';
import { text } from '../../http/fields.ts';
import { queryParameters, queryReader } from '../../http/query.ts';
import { checkBody } from '../../http/schema-check.ts';
import { explainLicense, licenseOfKey } from '../../operator/explain-license.ts';
import { shownExplanation } from '../../operator/shown-explanation.ts';
import type { KeyedLicense, LicenseRecord } from '../../storage/licenses/licenses.ts';
import { SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import { licenseAt } from './fields/act.ts';
import { EXAMPLE_EXPLANATION, Explanation } from './fields/explanation.ts';
import { LICENSE_ID } from './fields/license.ts';
import type { AdminParts } from './parts.ts';

const ExplainQuery = closed({
  domain: t.Optional(t.String({ maxLength: 2_048, description: 'domain as sent by the site' })),
});

const KeyToExplain = bodySchema(
  'KeyToExplain',
  {
    key: t.String({ minLength: 1, maxLength: 256, description: 'complete license key' }),
    domain: t.Optional(text({ maxLength: 2_048, description: 'domain as sent by the site' })),
  },
  { key: 'rdt_live_<key>', domain: 'shop.example.com' },
);

const EXPLAINED = show(
  Explanation,
  EXAMPLE_EXPLANATION,
  'Returns the current license/verify result and the reasons. Results of past checks are recorded every few seconds.',
);

/** Why a license is refused, or not. */
export const licenseExplain = (parts: AdminParts) => {
  const { db, offer, config, clock } = parts;
  const readQuery = queryReader(ExplainQuery, 'refused');

  const explain = async (license: LicenseRecord | KeyedLicense, domain: string | undefined) => {
    const grounds = { db, catalog: offer.catalog, settings: config, now: clock.now() };
    const explanation = shownExplanation(await explainLicense(grounds, license, domain));
    const isMalformed = explanation.domain?.binding === 'malformed_domain';
    return success(
      isMalformed ? { ...explanation, domain: { binding: 'malformed_domain', domain: null } } : explanation,
    );
  };

  const ofKey = async ({ key, domain }: Static<typeof KeyToExplain>) => {
    const found = await licenseOfKey(db, key);
    if ('refused' in found)
      throw refuse(
        'LICENSE_NOT_FOUND',
        'There is no license with this key: it is unknown, mistyped or cut off.',
      );
    return explain(found, domain);
  };

  const reading = new Elysia()
    .derive(parts.authenticate)
    .derive(requireScope('licenses:read'))
    .get(
      '/licenses/:licenseId/explain',
      async ({ params: { licenseId }, request }) => {
        const { domain } = readQuery(request);
        return explain(await licenseAt(parts, licenseId), domain);
      },
      {
        response: answers(EXPLAINED, ...TOKEN_CODES, 'INVALID_QUERY', 'LICENSE_NOT_FOUND'),
        detail: {
          operationId: 'explainLicense',
          summary: 'Explain the check result of a license',
          description: 'Read-only: does not change the license. Scope `licenses:read`.',
          parameters: [LICENSE_ID, ...queryParameters(ExplainQuery)],
          tags: [TAGS.licenses],
          security: SECURITY,
        },
      },
    );

  return reading.use(
    new Elysia()
      .derive(parts.authenticate)
      .derive(requireScope('licenses:read'))
      .onTransform(readJson({ capBytes: 8 * KIB }))
      .onTransform(checkBody(KeyToExplain))
      .post('/licenses/explain', async ({ body }) => ofKey(body as Static<typeof KeyToExplain>), {
        body: KeyToExplain,
        response: answers(EXPLAINED, ...TOKEN_CODES, ...BODY_CODES, 'LICENSE_NOT_FOUND'),
        detail: {
          operationId: 'explainKey',
          summary: 'Explain the check result of a key',
          description:
            'The key is sent in the body so that it is not logged. Read-only. Scope `licenses:read`.',
          tags: [TAGS.licenses],
          security: SECURITY,
        },
      }),
  );
};
