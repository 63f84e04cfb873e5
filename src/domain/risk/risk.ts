import { type Cvss, weighCvss } from './cvss.ts';
import {
  DEADLINE_TABLE,
  DEADLINE_TERMS,
  type Deadline,
  type DeadlineTerms,
  deadlineFor,
  publiclyExposed,
} from './deadline.ts';
import { COORDINATOR_TABLE, type Decision, decide } from './decision.ts';
import { catalogueEntry, type DecisionPoints, decisionPoints } from './decision-points.ts';
import type { Epss, KnownExploited, RiskFacts } from './facts.ts';
import { recommendForRisk } from './recommendation.ts';
import { type RiskFactor, riskFactors, scoreRisk } from './score.ts';

/** The risk of a vulnerability where it was found. It recommends only. */
export interface Risk {
  /** 0 to 100 (most urgent): the band of the deadline, and the place in it by the points of the factors. */
  readonly score: number;
  readonly decision: Decision;
  readonly deadline: Deadline;
  /** Days of 24 hours; null = with the next upgrade of the system. */
  readonly remediateWithinDays: DeadlineTerms['days'];
  /** Whether to look for traces of a break-in as well. */
  readonly forensics: boolean;
  /** All five, in the same order each time. */
  readonly factors: readonly RiskFactor[];
  /** The inputs of both tables: the names of SSVC's decision points, and their values in SSVC's words. */
  readonly decisionPoints: Readonly<Record<string, string>>;
  readonly epss: Epss | null;
  /** The vector to show; null when none can be read, which is not harmless. */
  readonly cvss: Cvss | null;
  /** The oldest entry in a catalog; null when none lists it, even if an operator asserts exploitation. */
  readonly knownExploited: KnownExploited | null;
  /** The tables that decided. */
  readonly tables: readonly string[];
  /** What to do, by when and why, in English sentences. */
  readonly recommendation: string;
}

/** Judges one vulnerability. No fact that becomes worse ever lowers score or decision, or allows more time. */
export function assessRisk(facts: RiskFacts): Risk {
  const cvss = weighCvss(facts.cvssVectors);
  const points = decisionPoints(facts, cvss);
  const deadline = deadlineFor(points);
  const terms = DEADLINE_TERMS[deadline];
  const factors = riskFactors(facts, points, cvss);
  const knownExploited = catalogueEntry(facts.knownExploited) ?? null;
  return {
    score: scoreRisk(
      deadline,
      factors.reduce((sum, factor) => sum + factor.points, 0),
    ),
    decision: decide(points),
    deadline,
    remediateWithinDays: terms.days,
    forensics: terms.forensics,
    factors,
    decisionPoints: inWordsOfSsvc(points),
    epss: facts.epss,
    cvss: cvss?.shown ?? null,
    knownExploited,
    tables: [DEADLINE_TABLE, COORDINATOR_TABLE],
    recommendation: recommendForRisk({
      component: facts.component,
      terms,
      points,
      cvss,
      epss: facts.epss,
      ransomware: knownExploited?.ransomware ?? false,
    }),
  };
}

function inWordsOfSsvc(points: DecisionPoints): Risk['decisionPoints'] {
  const { exploitation, knownExploited, automatable, technicalImpact, exposure, importance } = points;
  return {
    'ssvc:E:1.1.0': exploitation.value === 'poc' ? 'public poc' : exploitation.value,
    'cisa:KEV:1.0.0': knownExploited.value,
    'ssvc:A:2.0.0': automatable.value,
    'ssvc:TI:1.0.0': technicalImpact.value,
    'ssvc:EXP:1.0.1': exposure.value,
    'cisa:PE:1.0.0': publiclyExposed(points),
    'ssvc:MWI:1.0.0': importance.value,
  };
}
