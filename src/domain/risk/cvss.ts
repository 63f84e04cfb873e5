import { calculateBaseScore } from 'cvss4';
import { rememberSome } from '../../lib/remember-some.ts';
import { EXPLOITATIONS, type Exploitation, type TechnicalImpact, type YesNo } from './facts.ts';

/** From the oldest to the newest. Version 2 is on another scale and has no rating `critical`: it is not read. */
export const CVSS_VERSIONS = ['3.0', '3.1', '4.0'] as const;
export type CvssVersion = (typeof CVSS_VERSIONS)[number];

/** The attacker's position: physical access, local, nearby, or over the network with an administrator's, any or no login. */
export type CvssReach = 'physical' | 'local' | 'adjacent' | 'network_admin' | 'network_login' | 'network';

/** Lowest base score of each rating (CVSS 3.1, section 5; CVSS 4.0, section 6). */
const RATINGS = [
  ['critical', 9],
  ['high', 7],
  ['medium', 4],
  ['low', 0.1],
  ['none', 0],
] as const;
export type CvssSeverity = (typeof RATINGS)[number][0] | 'unknown';

/** The content of one vector. */
export interface Cvss {
  readonly version: CvssVersion;
  /** As published. */
  readonly vector: string;
  /**
   * Base score, 0 to 10 in steps of 0.1: threat, environment and supplements are left out. Where FIRST's
   * calculators round a tie of version 4.0 differently, the lower one; no rating depends on it.
   */
  readonly score: number;
  /** Never `unknown`. */
  readonly severity: CvssSeverity;
  readonly automatable: YesNo;
  readonly technicalImpact: TechnicalImpact;
  /** By the threat metric E, which says it for the day on which the vector was written. */
  readonly exploitation: Exploitation;
  readonly reach: CvssReach;
}

/** The combined content of a vulnerability's vectors. */
export interface CvssEvidence {
  /** The one to show: of the newest version the greatest. */
  readonly shown: Cvss;
  /** `yes` when any vector of that version says so. */
  readonly automatable: YesNo;
  /** `total` when any vector of that version says so. */
  readonly technicalImpact: TechnicalImpact;
  /** The strongest of all vectors, with the one that says it. */
  readonly exploitation: { readonly value: Exploitation; readonly version: CvssVersion };
}

const IMPACTS_3 = ['C', 'I', 'A'];
const IMPACTS_4 = ['VC', 'VI', 'VA'];
const BASE_3 = ['AV', 'AC', 'PR', 'UI', 'S', ...IMPACTS_3];
const BASE_4 = ['AV', 'AC', 'AT', 'PR', 'UI', ...IMPACTS_4, 'SC', 'SI', 'SA'];

/** A complete vector of version 4.0 has under 200 characters. */
const VECTOR_LENGTH_MAX = 512;
const METRIC = /^[A-Z]{1,3}:[A-Za-z]{1,5}$/;

/**
 * Reads a vector of CVSS 3.0, 3.1 or 4.0. Undefined when it is malformed, incomplete or of another version:
 * never a score of 0 for what could not be read.
 */
export function readCvss(vector: string): Cvss | undefined {
  const version = CVSS_VERSIONS.find((each) => vector.startsWith(`CVSS:${each}/`));
  if (version === undefined || vector.length > VECTOR_LENGTH_MAX) return undefined;
  const [prefix, ...metrics] = vector.split('/');
  // The library takes a metric without a value, or with two.
  if (!metrics.every((metric) => METRIC.test(metric))) return undefined;
  const values = new Map(metrics.map((metric) => metric.split(':') as [string, string]));
  const base = (version === '4.0' ? BASE_4 : BASE_3).map((name) => `${name}:${values.get(name)}`);
  // First the whole vector, because the metrics that the base score leaves out have to be valid as well.
  try {
    const whole = calculateBaseScore(vector);
    const score = metrics.length > base.length ? calculateBaseScore([prefix, ...base].join('/')) : whole;
    return describe(version, vector, score, values);
  } catch {
    return undefined;
  }
}

function describe(
  version: CvssVersion,
  vector: string,
  score: number,
  values: ReadonlyMap<string, string>,
): Cvss {
  const impacts = version === '4.0' ? IMPACTS_4 : IMPACTS_3;
  return {
    version,
    vector,
    score,
    severity: RATINGS.find(([, from]) => score >= from)?.[0] ?? 'none',
    automatable: automatable(values),
    technicalImpact: impacts.every((name) => values.get(name) === 'H') ? 'total' : 'partial',
    exploitation: exploitation(values.get('E')),
    reach: reach(values),
  };
}

/** CVSS 4 says it by AU, which SSVC takes for its own; otherwise what needs neither luck, login nor victim is. */
function automatable(values: ReadonlyMap<string, string>): YesNo {
  const stated = values.get('AU');
  if (stated === 'Y') return 'yes';
  if (stated === 'N') return 'no';
  const easy = values.get('AC') === 'L' && (values.get('AT') ?? 'N') === 'N' && values.get('UI') === 'N';
  return easy && reach(values) === 'network' ? 'yes' : 'no';
}

/** Only CVSS 4 has A, for attacks that happen; CVSS 3 knows how mature the code is, at most H. */
function exploitation(maturity: string | undefined): Exploitation {
  if (maturity === 'A') return 'active';
  return maturity !== undefined && ['P', 'F', 'H'].includes(maturity) ? 'poc' : 'none';
}

function reach(values: ReadonlyMap<string, string>): CvssReach {
  if (values.get('AV') === 'P') return 'physical';
  if (values.get('AV') === 'L') return 'local';
  if (values.get('AV') === 'A') return 'adjacent';
  if (values.get('PR') === 'H') return 'network_admin';
  return values.get('PR') === 'N' ? 'network' : 'network_login';
}

/** A few thousand vectors are all that feeds have. */
const readOnce = rememberSome(readCvss, 2_000);

/**
 * Combines all vectors of a vulnerability; undefined when none can be read. The newest version applies, and its greatest score;
 * automation and impact are the strongest of that version, so that a vector that becomes worse never hides another.
 */
export function weighCvss(vectors: readonly string[]): CvssEvidence | undefined {
  const read = vectors.flatMap((vector) => readOnce(vector) ?? []);
  const version = CVSS_VERSIONS.findLast((each) => read.some((cvss) => cvss.version === each));
  const newest = read.filter((cvss) => cvss.version === version);
  const shown = greatest(newest, ({ score }) => score);
  const exploited = greatest(read, (cvss) => EXPLOITATIONS.indexOf(cvss.exploitation));
  if (shown === undefined || exploited === undefined) return undefined;
  return {
    shown,
    automatable: newest.some((cvss) => cvss.automatable === 'yes') ? 'yes' : 'no',
    technicalImpact: newest.some((cvss) => cvss.technicalImpact === 'total') ? 'total' : 'partial',
    exploitation: { value: exploited.exploitation, version: exploited.version },
  };
}

/** Of several as great the one first in the alphabet, so that the order of the sources changes nothing. */
function greatest(all: readonly Cvss[], measure: (cvss: Cvss) => number): Cvss | undefined {
  return all.toSorted(
    (one, other) => measure(other) - measure(one) || (one.vector < other.vector ? -1 : 1),
  )[0];
}

/** The rating to show; `unknown` without a vector, which is not `none`. */
export const cvssSeverity = (evidence: CvssEvidence | undefined): CvssSeverity =>
  evidence?.shown.severity ?? 'unknown';
