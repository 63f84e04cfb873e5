import { Type as t } from '@sinclair/typebox';
import { notRefused } from '../domain/refusal.ts';
import { bodySchema } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import { nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { bearerRoute, jsonBody } from '../http/route/index.ts';
import { iso } from '../lib/clock.ts';
import { ExposureName, ImportanceName } from './fields/risk-fields.ts';
import { findSite, SITE_ID } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

const SiteImportance = bodySchema(
  'SiteImportance',
  { importance: ImportanceName, exposure: t.Optional(ExposureName) },
  { importance: 'high', exposure: 'open' },
);

const Kept = typed('SiteImportanceKept', {
  importance: ImportanceName,
  exposure: nullable(ExposureName),
  updated_at: timestamp('time of the change'),
});

/** Sets the importance and the exposure of a site, as stated by its tenant. */
export const siteImportance = bearerRoute({
  at: 'POST /sites/:siteId/importance',
  plan: 'starter',
  body: jsonBody({ schema: SiteImportance, capBytes: KIB }),
  operationId: 'setSiteImportance',
  summary: 'Set the importance of a site',
  description:
    'Affects the risk of findings on the site. Without `exposure`, each component is rated by its status: active components are public. Replaces the previous values. Requires the plan starter or higher.',
  parameters: [SITE_ID],
  tag: TAGS.vulnerabilities,
  answer: show(
    Kept,
    { importance: 'high', exposure: 'open', updated_at: '2026-11-22T09:30:00.000Z' },
    'Returns the stored importance, effective immediately.',
  ),
  codes: ['SITE_NOT_FOUND', 'STORE_UNAVAILABLE'],
  handle: async (
    { licenseId, params: { siteId: publicId }, body: wanted },
    { tenantData, writer, clock }: Parts<'clock' | 'tenantData' | 'writer'>,
  ) => {
    const { id: siteId } = await findSite(tenantData, licenseId, publicId);
    const { importance, exposure = null } = wanted;
    const now = clock.now();
    notRefused(await writer.write('setImportance', { licenseId, siteId, importance, exposure, now }));
    return { importance, exposure, updated_at: iso(now) };
  },
});
