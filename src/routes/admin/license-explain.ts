import { type Static, Type as t } from '@sinclair/typebox';
import { refuse } from '../../domain/refusal.ts';
import { bodySchema } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { closed, show } from '../../http/contract/answers.ts';
import { text } from '../../http/fields.ts';
import { jsonBody, queryOf, shared } from '../../http/route/index.ts';
import { explainLicense, licenseOfKey } from '../../operator/explain-license.ts';
import { shownExplanation } from '../../operator/shown-explanation.ts';
import type { KeyedLicense, LicenseRecord } from '../../storage/licenses/licenses.ts';
import type { Parts } from '../parts.ts';
import { TAGS } from './contract.ts';
import { licenseAt } from './fields/act.ts';
import { EXAMPLE_EXPLANATION, Explanation } from './fields/explanation.ts';
import { LICENSE_ID } from './fields/license.ts';
import { tokenRoute } from './token-route.ts';

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

const licenseExplainOf = shared((parts: Parts<'clock' | 'config' | 'db' | 'offer'>) => {
  const { db, offer, config, clock } = parts;

  const explain = async (license: LicenseRecord | KeyedLicense, domain: string | undefined) => {
    const grounds = { db, catalog: offer.catalog, settings: config, now: clock.now() };
    const explanation = shownExplanation(await explainLicense(grounds, license, domain));
    const isMalformed = explanation.domain?.binding === 'malformed_domain';
    return isMalformed
      ? { ...explanation, domain: { binding: 'malformed_domain', domain: null } }
      : explanation;
  };

  const ofLicense = async (name: string, domain: string | undefined) =>
    explain(await licenseAt(parts, name), domain);

  const ofKey = async ({ key, domain }: Static<typeof KeyToExplain>) => {
    const found = await licenseOfKey(db, key);
    if ('refused' in found)
      throw refuse(
        'LICENSE_NOT_FOUND',
        'There is no license with this key: it is unknown, mistyped or truncated.',
      );
    return explain(found, domain);
  };

  return { ofLicense, ofKey };
});

/** Operations that explain the current check result, by license ID or by key. */
export const licenseExplain = [
  tokenRoute({
    at: 'GET /licenses/:licenseId/explain',
    scope: 'licenses:read',
    query: queryOf(ExplainQuery, 'refused'),
    operationId: 'explainLicense',
    summary: 'Explain the check result of a license',
    description: 'Read-only: does not change the license. Scope `licenses:read`.',
    parameters: [LICENSE_ID],
    tag: TAGS.licenses,
    answer: EXPLAINED,
    codes: ['LICENSE_NOT_FOUND'],
    handle: licenseExplainOf(({ ofLicense }, { params: { licenseId }, query }) =>
      ofLicense(licenseId, query.domain),
    ),
  }),
  tokenRoute({
    at: 'POST /licenses/explain',
    scope: 'licenses:read',
    body: jsonBody({ schema: KeyToExplain, capBytes: 8 * KIB }),
    operationId: 'explainKey',
    summary: 'Explain the check result of a key',
    description: 'The key is sent in the body so that it is not logged. Read-only. Scope `licenses:read`.',
    tag: TAGS.licenses,
    answer: EXPLAINED,
    codes: ['LICENSE_NOT_FOUND'],
    handle: licenseExplainOf(async ({ ofKey }, { body }) => ofKey(body)),
  }),
];
