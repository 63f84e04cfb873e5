import { utcDay } from '../../lib/clock.ts';
import type { CvssEvidence } from './cvss.ts';
import {
  EXPLOITATIONS,
  type Exploitation,
  type Exposure,
  type Importance,
  type KnownExploited,
  type RiskFacts,
  type TechnicalImpact,
  type YesNo,
} from './facts.ts';

/** The value of a decision point, and its source. */
export interface Stated<Value> {
  readonly value: Value;
  /** Who says so, in words that follow "according to". */
  readonly source: string;
  /** No source stated it: the value is the rule's own. */
  readonly assumed: boolean;
}

/** The inputs of both decision tables. */
export interface DecisionPoints {
  readonly exploitation: Stated<Exploitation>;
  /** In a catalog of known exploited vulnerabilities, or asserted by the operator. */
  readonly knownExploited: Stated<YesNo>;
  readonly automatable: Stated<YesNo>;
  readonly technicalImpact: Stated<TechnicalImpact>;
  readonly exposure: Stated<Exposure>;
  readonly importance: Stated<Importance>;
}

const VULNRICHMENT = 'CISA’s analysts (Vulnrichment)';
const OPERATOR = 'the operator of this service';

/** Answers each question by the first source with a statement, or by an assumption. */
export function decisionPoints(facts: RiskFacts, cvss: CvssEvidence | undefined): DecisionPoints {
  return {
    exploitation: exploitation(facts, cvss),
    knownExploited: knownExploited(facts),
    automatable:
      by(VULNRICHMENT, facts.ssvc?.automatable) ??
      by(vectorSource(cvss), cvss?.automatable) ??
      assumed('yes', 'the default of SSVC'),
    technicalImpact:
      by(VULNRICHMENT, facts.ssvc?.technicalImpact) ??
      by(vectorSource(cvss), cvss?.technicalImpact) ??
      assumed('partial', 'no source'),
    exposure: by('data about the site', facts.exposure) ?? assumed('open', 'no source'),
    importance: by('the site’s setting', facts.importance) ?? assumed('medium', 'no source'),
  };
}

const assumed = <Value>(value: Value, source: string): Stated<Value> => ({ value, source, assumed: true });

const by = <Value>(source: string, value: Value | null | undefined): Stated<Value> | undefined =>
  value === null || value === undefined ? undefined : { value, source, assumed: false };

const vectorSource = (cvss: CvssEvidence | undefined): string => `its CVSS ${cvss?.shown.version} vector`;

/**
 * The strongest statement counts, and of equally strong ones the first of this list. So an operator who asserts `none`
 * withdraws his earlier assertion, but does not override a source with evidence.
 */
function exploitation(facts: RiskFacts, cvss: CvssEvidence | undefined): Stated<Exploitation> {
  const listed = catalogueEntry(facts.knownExploited);
  const threat = cvss?.exploitation;
  const statements = [
    listed && by(catalogueSource(listed), 'active' as const),
    by(VULNRICHMENT, facts.ssvc?.exploitation),
    by(OPERATOR, facts.assertedExploitation),
    facts.hasPublicExploit ? by('a published reference', 'poc' as const) : undefined,
    threat && threat.value !== 'none' ? by(`its CVSS ${threat.version} vector`, threat.value) : undefined,
  ].filter((statement) => statement !== undefined);
  return (
    EXPLOITATIONS.toReversed()
      .map((value) => statements.find((statement) => statement.value === value))
      .find((statement) => statement !== undefined) ?? {
      value: 'none',
      source: 'all imported sources',
      assumed: false,
    }
  );
}

/**
 * BOD 26-04 requires CISA's catalog. We use every imported one, because CISA's contains hardly any plugin of a web site, and
 * operators' assertions; statements of Vulnrichment or a vector affect only the decision and the points.
 */
function knownExploited({ knownExploited: entries, assertedExploitation }: RiskFacts): Stated<YesNo> {
  const listed = catalogueEntry(entries);
  if (listed) return { value: 'yes', source: catalogueSource(listed), assumed: false };
  const asserted = assertedExploitation === 'active';
  return {
    value: asserted ? 'yes' : 'no',
    source: asserted ? OPERATOR : 'the imported catalogues',
    assumed: false,
  };
}

/** Of several entries the oldest, undated ones last; ransomware that any of them knows of counts. */
export function catalogueEntry(entries: readonly KnownExploited[]): KnownExploited | undefined {
  const [oldest] = entries.toSorted(
    (one, other) =>
      (one.since ?? Number.MAX_VALUE) - (other.since ?? Number.MAX_VALUE) ||
      (one.catalogue < other.catalogue ? -1 : 1),
  );
  return oldest && { ...oldest, ransomware: entries.some(({ ransomware }) => ransomware) };
}

function catalogueSource({ catalogue, since }: KnownExploited): string {
  const listed = since === null ? '' : ` (listed on ${utcDay(since)})`;
  return `${catalogue.toUpperCase()}’s catalogue of exploited vulnerabilities${listed}`;
}
