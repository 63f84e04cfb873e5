/**
 * Measures the analysis: `bun run evaluate` reads the cases in this repository, `bun run evaluate --mirror DIR` the public
 * sources of SOURCES.md besides (bare clones as DIR/owner+name/repo). `--side tuning` shows the tuning side in place of the
 * evaluation side, `--only WORD` one category, `--show N` up to N wrong answers of each source.
 */
import { parseArgs } from 'node:util';
import { analyze } from '../../src/analysis/analysis.ts';
import { OWN_CASES } from './cases/index.ts';
import { type Case, type Label, type Side, SOURCES } from './corpus.ts';
import { EVERYDAY_TYPES, everydayCases } from './everyday/index.ts';

const { values: options } = parseArgs({
  options: {
    mirror: { type: 'string' },
    side: { type: 'string', default: 'evaluation' },
    only: { type: 'string', default: '' },
    show: { type: 'string', default: '0' },
  },
});

interface Tally {
  cases: number;
  flagged: number;
  malicious: number;
  slowestMs: number;
  readonly scores: number[];
}

/** Contents already seen, so that a copy in a second collection counts once and nothing of the tuning side counts. */
const seen = new Map<string, Side>();
const keyOf = ({ inputType, content }: Case): string => `${inputType}:${content.replace(/\s+/g, '')}`;

function measure(cases: readonly Case[], side: Side, label: Label): { tally: Tally; wrong: string[] } {
  const tally = { cases: 0, flagged: 0, malicious: 0, slowestMs: 0, scores: [] as number[] };
  const wrong: string[] = [];
  for (const each of cases) {
    const key = keyOf(each);
    if (seen.has(key)) continue;
    seen.set(key, side);
    if (side !== options.side) continue;
    const start = performance.now();
    const { verdict, score, reasons } = analyze(each);
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - start);
    tally.cases++;
    tally.scores.push(score);
    if (verdict !== 'clean') tally.flagged++;
    if (verdict === 'malicious') tally.malicious++;
    if ((verdict === 'clean') !== (label === 'clean'))
      wrong.push(`${score} ${each.path}: ${reasons.join(' | ')}`);
  }
  return { tally, wrong };
}

/** The recall that is left when the threshold lies where one clean content in a hundred is flagged. */
function recallAtOnePercent(malicious: readonly number[], clean: readonly number[]): string {
  if (clean.length === 0) return '-';
  const allowed = Math.floor(clean.length / 100);
  // Scores at the threshold are flagged, so it lies above the first clean score that may not be.
  const highestUnflagged = clean.toSorted((a, b) => b - a)[allowed] ?? -1;
  return percent(malicious.filter((score) => score > highestUnflagged).length, malicious.length);
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`;

interface Row {
  readonly category: string;
  readonly label: Label;
  readonly source: string;
  readonly tally: Tally;
}

function show(rows: readonly Row[]): void {
  console.table(
    rows.map(({ category, label, source, tally }) => ({
      category,
      label,
      source,
      cases: tally.cases,
      flagged: percent(tally.flagged, tally.cases),
      'of these malicious': percent(tally.malicious, tally.flagged),
    })),
  );
  const categories = [...new Set(['code', ...rows.map(({ category }) => category)])];
  const isOf = (row: Row, category: string) =>
    row.category === category || (category === 'code' && row.category.startsWith('code: '));
  const scores = (category: string, label: Label) =>
    rows.filter((row) => isOf(row, category) && row.label === label).flatMap(({ tally }) => tally.scores);
  const sum = (category: string, label: Label, field: 'cases' | 'flagged') =>
    rows
      .filter((row) => isOf(row, category) && row.label === label)
      .reduce((total, { tally }) => total + tally[field], 0);
  console.table(
    categories.map((category) => ({
      category,
      'malicious cases': sum(category, 'malicious', 'cases'),
      recall: percent(sum(category, 'malicious', 'flagged'), sum(category, 'malicious', 'cases')),
      'clean cases': sum(category, 'clean', 'cases'),
      'false positives': percent(sum(category, 'clean', 'flagged'), sum(category, 'clean', 'cases')),
      'recall at 1 %': recallAtOnePercent(scores(category, 'malicious'), scores(category, 'clean')),
    })),
  );
}

const rows: Row[] = [];
function add(category: string, side: Side, label: Label, source: string, cases: readonly Case[]): void {
  const { tally, wrong } = measure(cases, side, label);
  if (side !== options.side || tally.cases === 0) return;
  rows.push({ category, label, source, tally });
  for (const line of wrong.slice(0, Number(options.show)))
    console.log(`${label} ${source}: ${line.slice(0, 300)}`);
}

if (options.mirror === undefined) {
  for (const { category, label, cases } of OWN_CASES)
    add(category, options.side as Side, label, 'this repository', cases);
  for (const type of EVERYDAY_TYPES) {
    for (const side of ['tuning', 'evaluation'] as const) {
      for (const label of ['malicious', 'clean'] as const)
        add(`everyday ${type}`, side, label, 'everyday', everydayCases(type, side, label));
    }
  }
} else {
  // The tuning side first, so that its contents are known when the other one is read.
  for (const side of ['tuning', 'evaluation'] as const) {
    for (const source of SOURCES) {
      if (source.side !== side || !source.category.includes(options.only)) continue;
      add(source.category, side, source.label, source.repository, source.casesOf(options.mirror));
    }
  }
}
show(rows);
