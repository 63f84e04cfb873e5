import { t } from 'elysia';
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

export const MirrorStateName = oneOf(
  MIRROR_STATES,
  'nothing was imported; all of it is of these days; or a source of components is too old to rely on its silence',
  'MirrorState',
);
export const SnapshotId = t.String({ description: 'of all that was imported; changes with every import' });
export const VulnerabilityId = t.String({
  description: 'a CVE id when there is one, else the id of a source',
});
export const Aliases = t.Array(t.String(), { description: 'its other names' });
export const FixedVersions = t.Array(t.String(), {
  description: 'the nearest first, at most five; empty = no fix is known, and the component should go',
});
export const Attribution = t.Array(t.String(), {
  description: 'the sources that say so, by their ids in `sources`',
});

const Finding = typed('ComponentFinding', {
  vulnerability_id: VulnerabilityId,
  aliases: Aliases,
  ecosystem: EcosystemName,
  name: t.String({ description: 'what the mirror calls the component' }),
  version: ComponentVersion,
  title: t.String({ description: 'plain text of a source' }),
  fixed_versions: FixedVersions,
  severity: VulnerabilitySeverity,
  cvss: CvssFields,
  risk: RiskFields,
  first_seen_at: nullable(
    timestamp(
      'when the site told of a version that has it, or when it was imported here, whichever is later; an absence of less than 30 days counts for nothing',
    ),
  ),
  due_at: nullable(
    timestamp(
      'by when it should be mended, which no worse fact postpones; null without a deadline, or without a site',
    ),
  ),
  overdue: t.Boolean({ description: 'whether that moment has passed' }),
  attribution: Attribution,
});
export const Findings = t.Array(Finding, { description: 'the most urgent first' });

/** The sources that an answer's records come from: their terms ask that these texts are shown beside them. */
export const Sources = t.Array(
  typed('AttributedSource', {
    id: t.String({ description: 'such as `wordfence`, `osv:npm` or `cve`' }),
    attribution: t.String({ description: 'to be shown beside its records' }),
    license: t.String({ description: 'the terms' }),
  }),
  { description: 'of the records in this answer' },
);

export const sourcesOf = (mirror: MirrorInUse, ids: Iterable<string>) => {
  const shown = new Set(ids);
  return mirror.sources
    .filter(({ name }) => shown.has(name))
    .map(({ name, attribution, license }) => ({ id: name, attribution, license }));
};

/** Something that was found, with when it has to be mended; null where that runs on no site. */
export interface TimedFinding {
  readonly finding: ComponentFinding<{ readonly ecosystem: string; readonly version: string }>;
  readonly times: FindingTimes | null;
}

/** A finding, as {@link Findings}. */
export const findingOf = ({ finding, times }: TimedFinding) => {
  const { component, known, name, fixedVersions, risk } = finding;
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
    attribution: [...known.sources],
  };
};

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** The most urgent first; of equal ones always in the same order. */
export const byUrgency = (one: TimedFinding, other: TimedFinding): number =>
  other.finding.risk.score - one.finding.risk.score ||
  byText(one.finding.known.id, other.finding.known.id) ||
  byText(one.finding.name, other.finding.name) ||
  byText(one.finding.component.version, other.finding.component.version);

/** The state of what was imported. */
export const stateOf = (mirror: MirrorInUse | undefined, staleHours: number, nowMs: number) =>
  mirror === undefined ? ('empty' as const) : mirrorState(mirror.sources, staleHours, nowMs);

export const EXAMPLE_FINDING = {
  vulnerability_id: 'CVE-1998-0001',
  aliases: ['DEMO-0001'],
  ecosystem: 'wordpress-plugin',
  name: 'example-gallery',
  version: '1.2.3',
  title: 'Example Gallery before 1.2.4: anybody can upload a program',
  fixed_versions: ['1.2.4'],
  severity: 'critical',
  cvss: cvssOf(EXAMPLE_RISK.cvss),
  risk: riskOf(EXAMPLE_RISK),
  first_seen_at: '2026-11-21T09:00:00.000Z',
  due_at: '2026-11-24T09:00:00.000Z',
  overdue: false,
  attribution: ['wordfence'],
};
export const EXAMPLE_SOURCE = {
  id: 'wordfence',
  attribution: 'Copyright 2012-2026 Defiant Inc.',
  license: 'Defiant hereby grants you a perpetual, worldwide, royalty-free license.',
};
export const EXAMPLE_SNAPSHOT = '311fe49edbe46b13';
