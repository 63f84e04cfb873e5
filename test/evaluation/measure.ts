import { analyze, findingsIn } from '../../src/analysis/analysis.ts';
import { judge, weightOf } from '../../src/analysis/verdict.ts';
import type { Case, Label } from './corpus.ts';

/** What came out for the contents of one source. */
export interface Tally {
  cases: number;
  flagged: number;
  malicious: number;
  /** Of each, in the order of reading. */
  readonly scores: number[];
  /** What the findings of each add up to. */
  readonly logOdds: number[];
}

export interface Row {
  readonly category: string;
  readonly label: Label;
  readonly source: string;
  readonly tally: Tally;
}

/** Contents already seen, so that a copy in a second collection counts once and nothing of the tuning side counts. */
const seen = new Set<string>();
const keyOf = ({ inputType, content }: Case): string => `${inputType}:${content.replace(/\s+/g, '')}`;

/** The cases of a source that have not been seen in another one. */
export function unseen(cases: readonly Case[]): readonly Case[] {
  return cases.filter((each) => {
    const key = keyOf(each);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Judges cases, and tells of the first few that came out wrong. */
export function measure(
  cases: readonly Case[],
  { label, source }: Pick<Row, 'label' | 'source'>,
  show: number,
): Tally {
  const tally: Tally = { cases: 0, flagged: 0, malicious: 0, scores: [], logOdds: [] };
  let shown = 0;
  for (const each of cases) {
    const found = findingsIn(each);
    const { verdict, score } = judge(found, each.inputType);
    tally.cases++;
    tally.scores.push(score);
    tally.logOdds.push(weightOf(found));
    if (verdict !== 'clean') tally.flagged++;
    if (verdict === 'malicious') tally.malicious++;
    if ((verdict === 'clean') !== (label === 'clean') && shown++ < show)
      console.log(
        `${label} ${source}: ${score} ${each.path}: ${analyze(each).reasons.join(' | ')}`.slice(0, 300),
      );
  }
  return tally;
}

/** The share found when the threshold lies where so large a share of the clean contents is found by mistake. */
export function recallAt(share: number, malicious: readonly number[], clean: readonly number[]): string {
  if (clean.length === 0) return '-';
  // What lies at the threshold is found, so it lies above the first clean content that may not be.
  const highestUnflagged =
    clean.toSorted((a, b) => b - a)[Math.floor(clean.length * share)] ?? Number.NEGATIVE_INFINITY;
  return percent(malicious.filter((each) => each > highestUnflagged).length, malicious.length);
}

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`;
