import { SEVERITIES, type Severity } from './severity.ts';

/** One finding of a scan. Texts are ours; evidence contains neither content nor user names. */
export interface Finding {
  /** Stable id of the rule. */
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  /** The observation. */
  readonly evidence: string;
  /** Why it matters and what to do. */
  readonly recommendation: string;
}

/** A rule: its id and texts, and how to detect it. */
export interface FindingRule<Observed> extends Omit<Finding, 'evidence'> {
  /** The evidence; undefined when the observation does not show it. */
  readonly see: (observed: Observed) => string | undefined;
}

/** What rules find, most severe first, otherwise in the order of the rules. */
export function judge<Observed>(rules: readonly FindingRule<Observed>[], observed: Observed): Finding[] {
  return bySeverity(
    rules.flatMap(({ id, severity, title, recommendation, see }) => {
      const evidence = see(observed);
      return evidence === undefined ? [] : [{ id, severity, title, evidence, recommendation }];
    }),
  );
}

/** The most severe first, otherwise in their order. */
export const bySeverity = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity));
