import { type Static, Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { countFound, FINDINGS_MAX } from '../domain/vulnerability/findings.ts';
import {
  answers,
  BEARER_CODES,
  closed,
  nullable,
  show,
  success,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { queryParameters, queryReader } from '../http/query.ts';
import { isoOrNull } from '../lib/clock.ts';
import { judgeComponents, keptComponents } from '../storage/vulnerabilities/site-findings.ts';
import { count } from './fields/event-counts.ts';
import {
  byUrgency,
  EXAMPLE_FINDING,
  EXAMPLE_SNAPSHOT,
  EXAMPLE_SOURCE,
  Findings,
  findingOf,
  MirrorStateName,
  SnapshotId,
  Sources,
  sourcesOf,
  stateOf,
} from './fields/finding-fields.ts';
import { requireMirror } from './fields/mirror-required.ts';
import { PAGE, PAGE_DEFAULT } from './fields/page-query.ts';
import { DecisionName } from './fields/risk-fields.ts';
import { findSite, SITE_ID } from './fields/site-path.ts';
import type { Parts } from './parts.ts';
import { OutcomeCounts, outcomeCounts } from './vulnerability-match.ts';

const VulnerabilityQuery = closed({
  min_risk: t.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'minimum risk score' })),
  decision: t.Optional(DecisionName),
  ...PAGE('findings'),
});

export const VulnerabilitiesPage = typed('SiteVulnerabilities', {
  mirror_state: MirrorStateName,
  snapshot_id: SnapshotId,
  inventory_at: nullable(timestamp('time of the component list; null if none was sent')),
  counts: OutcomeCounts,
  overdue: count('number of overdue findings on all pages'),
  omitted: count(`number of findings beyond ${FINDINGS_MAX}, which are not rated`),
  findings: Findings,
  sources: Sources,
  next_cursor: nullable(t.String({ description: 'cursor of the next page; null on the last page' })),
});
const EXAMPLE = {
  mirror_state: 'current',
  snapshot_id: EXAMPLE_SNAPSHOT,
  inventory_at: '2026-11-22T09:30:00.000Z',
  counts: { ...outcomeCounts([]), vulnerable: 1, no_known: 1 },
  overdue: 0,
  omitted: 0,
  findings: [EXAMPLE_FINDING],
  sources: [EXAMPLE_SOURCE],
  next_cursor: null,
};

/** What was found in the components of a site, judged anew with every question. */
export const siteVulnerabilities = ({
  authenticate,
  tenantData,
  identities,
  mirror,
  clock,
  config,
}: Parts) => {
  const readQuery = queryReader(VulnerabilityQuery, 'refused');

  const page = async (licenseId: number, publicId: string, query: Static<typeof VulnerabilityQuery>) => {
    const { min_risk = 0, decision, limit = PAGE_DEFAULT, cursor } = query;
    const cursorKey = identities.cursorKey(licenseId, `vulnerabilities ${publicId}`);
    const from = cursor === undefined ? 0 : decodeCursor(cursorKey, cursor);
    const site = await findSite(tenantData, licenseId, publicId);
    const current = requireMirror(await mirror.current());
    const nowMs = clock.now();
    const kept = await keptComponents(tenantData, identities, licenseId, site);
    const found = kept && (await judgeComponents(kept, current, nowMs));
    const all = found?.findings ?? [];
    const wanted = all
      .filter(
        ({ finding: { risk } }) => risk.score >= min_risk && (decision ?? risk.decision) === risk.decision,
      )
      .sort(byUrgency);
    const shown = wanted.slice(from, from + limit);
    return {
      mirror_state: stateOf(current, config.mirrorStaleHours, nowMs),
      snapshot_id: current.snapshotId,
      inventory_at: isoOrNull(found?.inventoryAt ?? null),
      counts: outcomeCounts(found?.outcomes ?? []),
      overdue: all.filter(({ times }) => times.overdue).length,
      omitted: found === undefined ? 0 : countFound(found.outcomes) - all.length,
      findings: shown.map(findingOf),
      sources: sourcesOf(
        current,
        shown.flatMap(({ finding }) => finding.known.sources),
      ),
      next_cursor: wanted.length > from + limit ? encodeCursor(cursorKey, from + limit) : null,
    };
  };

  return new Elysia()
    .derive(authenticate)
    .onTransform(requirePlan('starter'))
    .get(
      '/sites/:siteId/vulnerabilities',
      async ({ caller, request, params: { siteId } }) =>
        success(await page(caller.license.id, siteId, readQuery(request))),
      {
        response: answers(
          show(VulnerabilitiesPage, EXAMPLE, 'Returns a page of findings, most urgent first.'),
          ...BEARER_CODES,
          'PLAN_REQUIRED',
          'INVALID_QUERY',
          'SITE_NOT_FOUND',
          'MIRROR_EMPTY',
        ),
        detail: {
          operationId: 'listSiteVulnerabilities',
          summary: 'List the vulnerabilities of a site by urgency',
          description:
            'Matches the last component list (POST /sites/{siteId}/components) with the vulnerability data imported now. Components that cannot be rated are counted separately, never as safe. Requires the plan starter or higher.',
          parameters: [SITE_ID, ...queryParameters(VulnerabilityQuery)],
          tags: [TAGS.vulnerabilities],
          security: BEARER_SECURITY,
        },
      },
    );
};
