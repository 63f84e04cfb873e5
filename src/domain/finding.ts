import { SEVERITIES, type Severity } from './severity.ts';

/** One thing that a scan has found. Texts are ours; evidence repeats neither content nor user names. */
export interface Finding {
  /** Stable name of the rule. */
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  /** What was seen. */
  readonly evidence: string;
  /** Why it matters and what to do. */
  readonly recommendation: string;
}

/** A rule: what it is called, and how it is seen in what was observed. */
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
