import { Type as t } from '@sinclair/typebox';
import { countFound, FINDINGS_MAX } from '../domain/vulnerability/findings.ts';
import { closed, nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { count, score } from '../http/fields.ts';
import { bearerRoute, queryOf } from '../http/route/index.ts';
import { isoOrNull } from '../lib/clock.ts';
import { judgeComponents, keptComponents } from '../storage/vulnerabilities/site-findings.ts';
import {
  byUrgency,
  EXAMPLE_FINDING,
  EXAMPLE_SNAPSHOT,
  EXAMPLE_SOURCE,
  Findings,
  findingOf,
  MirrorStateName,
  openRisk,
  SnapshotId,
  Sources,
  sourcesIn,
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
  min_risk: t.Optional(score('minimum risk score')),
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

/** Lists the vulnerabilities of a site's components, assessed on each request. */
export const siteVulnerabilities = bearerRoute({
  at: 'GET /sites/:siteId/vulnerabilities',
  plan: 'starter',
  query: queryOf(VulnerabilityQuery, 'refused'),
  operationId: 'listSiteVulnerabilities',
  summary: 'List the vulnerabilities of a site by urgency',
  description:
    'Matches the last component list (POST /sites/{siteId}/components) with the vulnerability data imported now. Components that cannot be rated are counted separately, never as safe. Findings that suppliers call not affected come last, and filters leave them out. Requires the plan starter or higher.',
  parameters: [SITE_ID],
  tag: TAGS.vulnerabilities,
  answer: show(VulnerabilitiesPage, EXAMPLE, 'Returns a page of findings, most urgent first.'),
  codes: ['SITE_NOT_FOUND', 'MIRROR_EMPTY'],
  handle: async (
    { licenseId, params: { siteId: publicId }, query },
    {
      tenantData,
      identities,
      mirror,
      clock,
      config,
    }: Parts<'clock' | 'config' | 'identities' | 'mirror' | 'tenantData'>,
  ) => {
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
        (each) =>
          openRisk(each) >= min_risk &&
          (decision === undefined ||
            (each.finding.notAffected === null && each.finding.risk.decision === decision)),
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
      sources: sourcesOf(current, sourcesIn(shown)),
      next_cursor: wanted.length > from + limit ? encodeCursor(cursorKey, from + limit) : null,
    };
  },
});
