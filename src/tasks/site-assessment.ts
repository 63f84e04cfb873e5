import {
  type Assessment,
  type AssessmentParts,
  assess,
  type JudgedPart,
  type JudgedVulnerabilities,
  judgeSurfacePart,
  type SeenSurface,
  scoreWith,
} from '../domain/assessment/assessment.ts';
import { FINDINGS_MAX } from '../domain/vulnerability/findings.ts';
import { isTimeless, mirrorState } from '../domain/vulnerability/mirror-age.ts';
import type { CitedAssessment, CitedMirror } from '../storage/scans/assessment-jobs.ts';
import type { AskedMirror, SitePosture } from '../storage/scans/site-posture.ts';
import { openFindings } from '../storage/vulnerabilities/site-findings.ts';

/** Vulnerabilities listed in the evidence with risk and deadline; the others are only counted. */
const CITED_VULNERABILITIES_MAX = 150;
const CITED_SOURCES_MAX = 100;

/**
 * Grades a site by its own reports, its last surface scan and the known vulnerabilities of its components.
 *
 * @param surface undefined if the site was never scanned
 * @param last the previous assessment of the site
 * @param staleHours see `mirrorState`
 * @returns undefined if there is no data about the site
 */
export function assessSite(
  { site, components }: Pick<SitePosture, 'site' | 'components'>,
  surface: SeenSurface | undefined,
  last: Assessment | undefined,
  staleHours: number,
  nowMs: number,
): CitedAssessment | undefined {
  const parts: AssessmentParts = {
    telemetry: site ? telemetryPart(site) : null,
    surface: surface ? judgeSurfacePart(surface, last?.parts.surface?.score, nowMs) : null,
    vulnerabilities: components ? vulnerabilitiesPart(components, staleHours, nowMs) : null,
  };
  const assessment = assess(parts);
  if (assessment === undefined) return undefined;
  const vulnerabilities = (components ? openFindings(components.found) : [])
    .map(({ finding: { known, risk }, times: { dueAt } }) => ({ id: known.id, risk: risk.score, dueAt }))
    .sort((one, other) => other.risk - one.risk)
    .slice(0, CITED_VULNERABILITIES_MAX);
  return { ...assessment, vulnerabilities, mirror: components ? citedMirror(components.mirror) : null };
}

const telemetryPart = ({ score, status, lastSeenAt }: NonNullable<SitePosture['site']>): JudgedPart => ({
  score: score.score,
  at: lastSeenAt,
  complete: status !== 'silent',
});

function vulnerabilitiesPart(
  { found, mirror }: NonNullable<SitePosture['components']>,
  staleHours: number,
  nowMs: number,
): JudgedVulnerabilities | null {
  const state = mirrorState(mirror.sources, staleHours, nowMs);
  if (state === 'empty') return null;
  const { findings, outcomes, inventoryAt } = found;
  const isJudged =
    findings.length < FINDINGS_MAX &&
    outcomes.every(({ outcome }) => outcome === 'vulnerable' || outcome === 'no_known');
  const open = openFindings(found);
  const scores = open.map(({ finding: { risk }, times: { overdue } }) =>
    scoreWith({ score: risk.score, remediateWithinDays: risk.remediateWithinDays, overdue }),
  );
  return {
    score: Math.min(100, ...scores),
    at: inventoryAt,
    complete: isJudged && state === 'current',
    dataAt: Math.min(
      ...mirror.sources
        .filter((source) => !isTimeless(source))
        .map(({ publishedAt, importedAt }) => publishedAt ?? importedAt),
    ),
    open: open.length,
    overdue: findings.filter(({ times }) => times.overdue).length,
  };
}

const citedMirror = ({ snapshotId, sources }: AskedMirror): CitedMirror => ({
  snapshotId,
  sources: sources.slice(0, CITED_SOURCES_MAX).map(({ name, sha256 }) => ({ name, sha256 })),
  epssModelVersion:
    sources.findLast(({ epssModelVersion }) => epssModelVersion !== null)?.epssModelVersion ?? null,
});
