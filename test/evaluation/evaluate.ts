/**
 * Measures the analysis: `bun run evaluate` reads the cases in this repository, `bun run evaluate --mirror DIR` the public
 * sources of SOURCES.md besides (bare clones as DIR/owner+name/repo). `--side tuning` shows the tuning side in place of the
 * evaluation side, `--only WORD` one category, `--show N` up to N wrong answers of each source, `--plot FILE` draws how scores of
 * code are borne out. Each malicious file is judged alone and behind 5, 20 and 40 KB of clean ones.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { analyze } from '../../src/analysis/analysis.ts';
import { calibrate, plot } from './calibration.ts';
import { OWN_CASES } from './cases/index.ts';
import { type Case, type Label, type Side, SOURCES } from './corpus.ts';
import { EVERYDAY_TYPES, everydayCases } from './everyday/index.ts';
import { measure, percent, type Row, recallAt, unseen } from './measure.ts';
import { PADDING_KB, Padding } from './padding.ts';
import { writtenRequests } from './written.ts';

const { values: options } = parseArgs({
  options: {
    mirror: { type: 'string' },
    side: { type: 'string', default: 'evaluation' },
    only: { type: 'string', default: '' },
    show: { type: 'string', default: '0' },
    plot: { type: 'string' },
  },
});

const rows: Row[] = [];
const languages = { 'code: PHP': new Padding('PHP'), 'code: JavaScript': new Padding('JavaScript') };
type CodeCategory = keyof typeof languages;
const isCode = (category: string): category is CodeCategory => Object.hasOwn(languages, category);
const malware: { readonly category: CodeCategory; readonly case: Case }[] = [];

function add(category: string, side: Side, label: Label, source: string, cases: readonly Case[]): void {
  const fresh = unseen(cases);
  if (side !== options.side || fresh.length === 0) return;
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

if (options.mirror === undefined) {
  for (const { category, label, cases } of OWN_CASES)
    add(category, options.side as Side, label, 'this repository', cases);
  for (const side of ['tuning', 'evaluation'] as const) {
    for (const label of ['malicious', 'clean'] as const) {
      for (const type of EVERYDAY_TYPES)
        add(`everyday ${type}`, side, label, 'everyday', everydayCases(type, side, label));
      const set = side === 'tuning' ? 'seen' : 'blind';
      add(`${set} request`, options.side as Side, label, set, writtenRequests(set, label));
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
showSources();
showCategories();
if (malware.length > 0) showPadded();
showCalibration();
if (options.plot !== undefined)
  writeFileSync(options.plot, plot(scoresOfCode('malicious'), scoresOfCode('clean')));
