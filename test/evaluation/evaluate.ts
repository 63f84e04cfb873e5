/**
 * Measures the analysis. `bun run evaluate --mirror DIR` reads the public sources of SOURCES.md (bare clones as
 * DIR/owner+name/repo) and shows what is found in sources that no rule, model or threshold comes from. `--every N` reads one clean
 * file of code in N.
 * `--side tuning` or `--side evaluation` shows one side of the sources as the shipped models judge it, in place of that; `--show N` up
 * to N wrong answers of each source, `--plot FILE` draws how scores of code compare with reality, malicious files are judged
 * alone and behind 5, 20 and 40 KB of clean ones. Without `--mirror` the cases in this repository are read. `--only WORD` reads
 * one category.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { analyze } from '../../src/analysis/analysis.ts';
import { calibrate, plot } from './calibration.ts';
import { OWN_CASES } from './cases/index.ts';
import { type Case, type Label, type Side, SOURCES } from './corpus.ts';
import { EVERYDAY_TYPES, everydayCases } from './everyday/index.ts';
import { LeaveOneOut } from './leave-one-out.ts';
import { measure, percent, type Row, recallAt, unseen } from './measure.ts';
import { PADDING_KB, Padding } from './padding.ts';
import { writtenRequests } from './written.ts';

const { values: options } = parseArgs({
  options: {
    mirror: { type: 'string' },
    side: { type: 'string' },
    only: { type: 'string', default: '' },
    every: { type: 'string', default: '1' },
    show: { type: 'string', default: '0' },
    plot: { type: 'string' },
  },
});

const side = (options.side ?? 'evaluation') as Side;
const rows: Row[] = [];
const languages = { 'code: PHP': new Padding('PHP'), 'code: JavaScript': new Padding('JavaScript') };
type CodeCategory = keyof typeof languages;
const isCode = (category: string): category is CodeCategory => Object.hasOwn(languages, category);
const malware: { readonly category: CodeCategory; readonly case: Case }[] = [];

function add(category: string, of: Side, label: Label, source: string, cases: readonly Case[]): void {
  const fresh = unseen(cases);
  if (of !== side || fresh.length === 0) return;
  rows.push({ category, label, source, tally: measure(fresh, { label, source }, Number(options.show)) });
  if (!isCode(category)) return;
  for (const each of fresh) {
    if (label === 'malicious') malware.push({ category, case: each });
    else languages[category].add(each.content);
  }
}

function showSources(): void {
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
}

const of = (category: string, label: Label): readonly Row[] =>
  rows.filter(
    (row) =>
      row.label === label &&
      (row.category === category || (category === 'code' && row.category.startsWith('code: '))),
  );
const logOddsOfAll = (category: string, label: Label): readonly number[] =>
  of(category, label).flatMap(({ tally }) => tally.logOdds);
const sum = (category: string, label: Label, field: 'cases' | 'flagged' | 'malicious'): number =>
  of(category, label).reduce((total, { tally }) => total + tally[field], 0);

function showCategories(): void {
  const categories = [...new Set(['code', ...rows.map(({ category }) => category)])];
  console.table(
    categories.map((category) => {
      const [malicious, clean] = [logOddsOfAll(category, 'malicious'), logOddsOfAll(category, 'clean')];
      return {
        category,
        'malicious cases': malicious.length,
        recall: percent(sum(category, 'malicious', 'flagged'), malicious.length),
        'clean cases': clean.length,
        'false positives': percent(sum(category, 'clean', 'flagged'), clean.length),
        'called malicious': percent(sum(category, 'clean', 'malicious'), clean.length),
        'recall at 1 %': recallAt(0.01, malicious, clean),
        'recall at 0.5 %': recallAt(0.005, malicious, clean),
      };
    }),
  );
}

/** The padding attack. */
function showPadded(): void {
  const found = (category: CodeCategory, kb: number): string => {
    const all = malware.filter((each) => each.category === category);
    const padded = all.flatMap((each, at) => languages[category].before(each.case, kb, at) ?? []);
    return percent(padded.filter((each) => analyze(each).verdict !== 'clean').length, padded.length);
  };
  console.table(
    (Object.keys(languages) as CodeCategory[]).map((category) => ({
      category,
      alone: percent(sum(category, 'malicious', 'flagged'), sum(category, 'malicious', 'cases')),
      ...Object.fromEntries(PADDING_KB.map((kb) => [`behind ${kb} KB`, found(category, kb)])),
    })),
  );
}

const scoresOfCode = (label: Label): readonly number[] =>
  of('code', label).flatMap(({ tally }) => tally.scores);

function showCalibration(): void {
  const [malicious, clean] = [logOddsOfAll('code', 'malicious'), logOddsOfAll('code', 'clean')];
  if (malicious.length === 0 || clean.length === 0) return;
  const { slope, prior } = calibrate(malicious, clean);
  console.log(`calibration of code: slope ${slope.toFixed(3)}, prior ${prior.toFixed(2)}`);
}

function readCases(): void {
  for (const { category, label, cases } of OWN_CASES) add(category, side, label, 'this repository', cases);
  for (const of of ['tuning', 'evaluation'] as const) {
    for (const label of ['malicious', 'clean'] as const) {
      for (const type of EVERYDAY_TYPES)
        add(`everyday ${type}`, of, label, 'everyday', everydayCases(type, of, label));
      const set = of === 'tuning' ? 'seen' : 'blind';
      add(`${set} request`, side, label, set, writtenRequests(set, label));
    }
  }
}

function readSide(mirror: string): void {
  // The tuning side first, so that its contents are known when the other one is read.
  for (const of of ['tuning', 'evaluation'] as const) {
    for (const source of SOURCES) {
      if (source.side !== of || !source.category.includes(options.only)) continue;
      add(source.category, of, source.label, source.repository, source.casesOf(mirror));
    }
  }
}

if (options.mirror !== undefined && options.side === undefined) {
  const trial = new LeaveOneOut();
  trial.read(options.mirror, options.only, Number(options.every));
  trial.show();
} else {
  if (options.mirror === undefined) readCases();
  else readSide(options.mirror);
  showSources();
  showCategories();
  if (malware.length > 0) showPadded();
  showCalibration();
  if (options.plot !== undefined)
    writeFileSync(options.plot, plot(scoresOfCode('malicious'), scoresOfCode('clean')));
}
