import { Elysia, type Static, t } from 'elysia';
import { isRefusal } from '../domain/refusal.ts';
import { bodySchema, readJson } from '../http/body.ts';
import { KIB } from '../http/context.ts';
import {
  answers,
  BEARER_CODES,
  BODY_CODES,
  nullable,
  show,
  success,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { checkBody } from '../http/schema-check.ts';
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

/** How much depends on a site, and who can reach it, as its tenant says. */
export const siteImportance = ({ authenticate, tenantData, writer, clock }: Parts) => {
  const keep = async (licenseId: number, publicId: string, told: Static<typeof SiteImportance>) => {
    const { id: siteId } = await findSite(tenantData, licenseId, publicId);
    const { importance, exposure = null } = told;
    const now = clock.now();
    const refusal = await writer.write('setImportance', { licenseId, siteId, importance, exposure, now });
    if (isRefusal(refusal)) throw refusal;
    return { importance, exposure, updated_at: iso(now) };
  };

  return new Elysia()
    .derive(authenticate)
    .derive(requirePlan('starter'))
    .onTransform(readJson({ capBytes: KIB }))
    .onTransform(checkBody(SiteImportance))
    .post(
      '/sites/:siteId/importance',
      async ({ caller, params: { siteId }, body }) =>
        success(await keep(caller.license.id, siteId, body as Static<typeof SiteImportance>)),
      {
        body: SiteImportance,
        response: answers(
          show(
            Kept,
            { importance: 'high', exposure: 'open', updated_at: '2026-11-22T09:30:00.000Z' },
            'Returns the stored importance, effective immediately.',
          ),
          ...BEARER_CODES,
          ...BODY_CODES,
          'PLAN_REQUIRED',
          'SITE_NOT_FOUND',
          'STORE_UNAVAILABLE',
        ),
        detail: {
          operationId: 'setSiteImportance',
          summary: 'Set the importance of a site',
          description:
            'Affects the risk of findings on the site. Without `exposure`, each component is rated by its status: active components are public. Replaces the previous values. Requires the plan starter or higher.',
          parameters: [SITE_ID],
          tags: [TAGS.vulnerabilities],
          security: BEARER_SECURITY,
        },
      },
    );
};
