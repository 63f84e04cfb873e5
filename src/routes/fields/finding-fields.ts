import { Type as t } from '@sinclair/typebox';
import type { ComponentFinding, FindingTimes } from '../../domain/vulnerability/findings.ts';
import { MIRROR_STATES, mirrorState } from '../../domain/vulnerability/mirror-age.ts';
import { nullable, timestamp, typed } from '../../http/contract/answers.ts';
import { oneOf } from '../../http/fields.ts';
import { isoOrNull } from '../../lib/clock.ts';
import type { MirrorInUse } from '../../tasks/mirror.ts';
import { ComponentVersion, EcosystemName } from './component-fields.ts';
import {
  CvssFields,
  cvssOf,
  EXAMPLE_RISK,
  RiskFields,
  riskOf,
  VulnerabilitySeverity,
} from './risk-fields.ts';
import { NotAffectedFields, notAffectedOf } from './vex-fields.ts';

export const MirrorStateName = oneOf(
  MIRROR_STATES,
  'state of the vulnerability data: nothing imported, up to date, or too old to rule out vulnerabilities',
  'MirrorState',
);
export const SnapshotId = t.String({
  description: 'version of the imported data; changes with every import',
});
export const VulnerabilityId = t.String({
  description: 'CVE ID if assigned, otherwise the ID of a source',
});
export const Aliases = t.Array(t.String(), { description: 'other IDs of the vulnerability' });
export const FixedVersions = t.Array(t.String(), {
  description: 'fixed versions, nearest first, at most five; empty if no fix is known: remove the component',
});
export const Attribution = t.Array(t.String(), {
  description: 'IDs of the reporting sources; see `sources`',
});

const Finding = typed('ComponentFinding', {
  vulnerability_id: VulnerabilityId,
  aliases: Aliases,
  ecosystem: EcosystemName,
  name: t.String({ description: 'name of the component in the vulnerability data' }),
  version: ComponentVersion,
  title: t.String({ description: 'title from a source, plain text' }),
  fixed_versions: FixedVersions,
  severity: VulnerabilitySeverity,
  cvss: CvssFields,
  risk: RiskFields,
  first_seen_at: nullable(
    timestamp(
      'time when a vulnerable version was first reported or the vulnerability was imported, whichever is later; absences of less than 30 days are ignored',
    ),
  ),
  due_at: nullable(
    timestamp(
      'remediation deadline, never postponed by new facts that raise the risk; null if there is no deadline or no site, or if the component is not affected',
    ),
  ),
  overdue: t.Boolean({ description: 'whether the deadline has passed' }),
  not_affected: NotAffectedFields,
  attribution: Attribution,
});
export const Findings = t.Array(Finding, { description: 'findings, most urgent first' });

/** The sources of the records in an answer. Their licenses require that these texts are returned with the records. */
export const Sources = t.Array(
  typed('AttributedSource', {
    id: t.String({ description: 'source ID, such as `wordfence`, `osv:npm` or `cve`' }),
    attribution: t.String({ description: 'attribution to display with records of this source' }),
    license: t.String({ description: 'license terms' }),
  }),
  { description: 'sources of the records in this response' },
);

export const sourcesOf = (mirror: MirrorInUse, ids: Iterable<string>) => {
  const shown = new Set(ids);
  return mirror.sources
    .filter(({ name }) => shown.has(name))
    .map(({ name, attribution, license }) => ({ id: name, attribution, license }));
};

/** A finding with its due date; `times` is null if the finding belongs to no site. */
export interface TimedFinding {
  readonly finding: ComponentFinding<{ readonly ecosystem: string; readonly version: string }>;
  readonly times: FindingTimes | null;
}

/** Converts a finding to an item of {@link Findings}. */
export const findingOf = ({ finding, times }: TimedFinding) => {
  const { component, known, name, fixedVersions, risk, notAffected } = finding;
  return {
    vulnerability_id: known.id,
    aliases: [...known.aliases],
    ecosystem: component.ecosystem,
    name,
    version: component.version,
    title: known.title,
    fixed_versions: [...fixedVersions],
    severity: risk.cvss?.severity ?? ('unknown' as const),
    cvss: cvssOf(risk.cvss),
    risk: riskOf(risk),
    first_seen_at: isoOrNull(times?.firstSeenAt ?? null),
    due_at: isoOrNull(times?.dueAt ?? null),
    overdue: times?.overdue ?? false,
    not_affected: notAffectedOf(notAffected),
    attribution: [...known.sources],
  };
};

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Returns the sources of findings, and those of the statements that components are not affected. */
export const sourcesIn = (found: readonly TimedFinding[]): string[] =>
  found.flatMap(({ finding: { known, notAffected } }) => [
    ...known.sources,
    ...(notAffected ? [notAffected.source] : []),
  ]);

/** The risk score of a finding; 0 if it needs no action. */
export const openRisk = ({ finding: { risk, notAffected } }: TimedFinding): number =>
  notAffected ? 0 : risk.score;

/** Compares by urgency, most urgent first. The order is total, so that pages are stable. */
export const byUrgency = (one: TimedFinding, other: TimedFinding): number =>
  Number(one.finding.notAffected !== null) - Number(other.finding.notAffected !== null) ||
  other.finding.risk.score - one.finding.risk.score ||
  byText(one.finding.known.id, other.finding.known.id) ||
  byText(one.finding.name, other.finding.name) ||
  byText(one.finding.component.version, other.finding.component.version);

/** Returns the state of the imported data. */
export const stateOf = (mirror: MirrorInUse | undefined, staleHours: number, nowMs: number) =>
  mirror === undefined ? ('empty' as const) : mirrorState(mirror.sources, staleHours, nowMs);

export const EXAMPLE_FINDING = {
  vulnerability_id: 'CVE-1998-0001',
  aliases: ['DEMO-0001'],
  ecosystem: 'wordpress-plugin',
  name: 'example-gallery',
  version: '1.2.3',
  title: 'Example Gallery < 1.2.4: unauthenticated arbitrary file upload',
  fixed_versions: ['1.2.4'],
  severity: 'critical',
  cvss: cvssOf(EXAMPLE_RISK.cvss),
  risk: riskOf(EXAMPLE_RISK),
  first_seen_at: '2026-11-21T09:00:00.000Z',
  due_at: '2026-11-24T09:00:00.000Z',
  overdue: false,
  not_affected: null,
  attribution: ['wordfence'],
};
export const EXAMPLE_SOURCE = {
  id: 'wordfence',
  attribution: 'Copyright 2012-2026 Defiant Inc.',
  license: 'Defiant hereby grants you a perpetual, worldwide, royalty-free license.',
};
export const EXAMPLE_SNAPSHOT = '311fe49edbe46b13';
