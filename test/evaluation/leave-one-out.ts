import { analyze } from '../../src/analysis/analysis.ts';
import { judge, weightOf } from '../../src/analysis/verdict.ts';
import type { Case, Label } from './corpus.ts';
import { FOLDS, familyOf } from './folds.ts';
import { tryContents } from './held-out.ts';
import { percent } from './measure.ts';
import { PADDING_KB, Padding } from './padding.ts';
import { TUNED_BY } from './written-from.ts';

interface Score {
  readonly category: string;
  readonly label: Label;
  readonly repository: string;
  readonly fold: number;
  readonly verdict: string;
  readonly logOdds: number;
}

/** What is shown in a row: its title, and the categories of its malicious and clean contents. */
const ROWS: readonly (readonly [title: string, malicious: string, clean: string])[] = [
  ['PHP', 'code: PHP', 'code: PHP'],
  ['JavaScript', 'code: JavaScript', 'code: JavaScript'],
  ['request, recorded traffic', 'request', 'request: recorded'],
  ['request, values and comments', 'request', 'request'],
  ['log line', 'log', 'log'],
  ['address', 'url', 'url'],
  ['text', 'text', 'text'],
];
/** A source with fewer contents says nothing by itself. */
const CONTENTS_MIN = 10;

/** Shares of clean contents at which the share of malicious ones that is found is shown. */
const MISTAKES = [0.005, 0.01] as const;

/** The headline figures: what is found in sources that neither a rule nor a model nor a threshold comes from. */
export class LeaveOneOut {
  readonly #scores: Score[] = [];
  readonly #malware: { readonly case: Case; readonly category: string; readonly fold: number }[] = [];
  readonly #padding = new Map<string, Padding>();

  read(mirror: string, only: string, every: number): void {
    const trial = {
      mirror,
      only,
      every,
      isWanted: ({ repository }: { repository: string }) => !TUNED_BY.has(repository),
    };
    for (const { source, fold, case: each, findings } of tryContents(trial)) {
      const { category, label, repository } = source;
      const { verdict } = judge(findings, each.inputType);
      this.#scores.push({ category, label, repository, fold, verdict, logOdds: weightOf(findings) });
      if (!category.startsWith('code: ')) continue;
      if (label === 'malicious') this.#malware.push({ case: each, category, fold });
      else this.#paddingOf(category, fold).add(each.content);
    }
  }

  show(): void {
    const rows = ROWS.filter(([, ...of]) =>
      this.#scores.some(({ category, label }) => category === of[label === 'malicious' ? 0 : 1]),
    );
    console.table(rows.map(([title, ...of]) => ({ title, ...this.#figures(...of) })));
    console.table(this.#sources());
    if (this.#malware.length > 0) console.table(this.#padded());
  }

  #paddingOf(category: string, fold: number): Padding {
    const key = `${category} ${fold}`;
    const padding = this.#padding.get(key) ?? new Padding(category.endsWith('PHP') ? 'PHP' : 'JavaScript');
    this.#padding.set(key, padding);
    return padding;
  }

  #of(category: string, label: Label): readonly Score[] {
    return this.#scores.filter((each) => each.category === category && each.label === label);
  }

  #figures(ofMalicious: string, ofClean: string): Record<string, string | number> {
    const [malicious, clean] = [this.#of(ofMalicious, 'malicious'), this.#of(ofClean, 'clean')];
    return {
      malicious: malicious.length,
      found: share(malicious, isFound),
      'mean of sources': meanShare(malicious, isFound),
      'as malicious': share(malicious, isMalicious),
      clean: clean.length,
      mistakes: share(clean, isFound),
      'called malicious': share(clean, isMalicious),
      ...recalls(malicious, clean),
    };
  }

  #sources(): readonly Record<string, string | number>[] {
    const groups = Map.groupBy(
      this.#scores,
      ({ category, label, repository }) => `${category}, ${label}: ${nameOf(repository)}`,
    );
    return [...groups].map(([source, of]) => ({
      source,
      contents: of.length,
      flagged: share(of, isFound),
      'of all malicious': share(of, isMalicious),
    }));
  }

  /** The padding attack, with whole clean files of sources that are left out in the same turn. */
  #padded(): readonly Record<string, string>[] {
    const categories = [...new Set(this.#malware.map(({ category }) => category))];
    return categories.map((category) => {
      const malware = this.#malware.filter((each) => each.category === category);
      const found = (kb: number): string => {
        let [count, of] = [0, 0];
        for (const [at, { case: each, fold }] of malware.entries()) {
          const padded = this.#paddingOf(category, fold).before(each, kb, at);
          if (padded === undefined) continue;
          of++;
          if (analyze(padded).verdict !== 'clean') count++;
        }
        return percent(count, of);
      };
      return { category, ...Object.fromEntries(PADDING_KB.map((kb) => [`behind ${kb} KB`, found(kb)])) };
    });
  }
}

const isFound = ({ verdict }: Score): boolean => verdict !== 'clean';
const isMalicious = ({ verdict }: Score): boolean => verdict === 'malicious';
const share = (scores: readonly Score[], is: (score: Score) => boolean): string =>
  percent(scores.filter(is).length, scores.length);

/** The mean of the shares of sources, so that none counts more because it has more contents. */
function meanShare(scores: readonly Score[], is: (score: Score) => boolean): string {
  const groups = [...Map.groupBy(scores, ({ repository }) => nameOf(repository)).values()];
  const large = groups.filter(({ length }) => length >= CONTENTS_MIN);
  const sum = large.reduce((total, of) => total + of.filter(is).length / of.length, 0);
  return percent(sum, large.length);
}

/** With a threshold for each turn from the clean contents of the other turns, and the mistakes that it makes in the turn. */
function recalls(malicious: readonly Score[], clean: readonly Score[]): Record<string, string> {
  return Object.fromEntries(
    MISTAKES.map((wanted) => {
      let [found, mistakes] = [0, 0];
      for (let fold = 0; fold < FOLDS; fold++) {
        const others = clean.filter((each) => each.fold !== fold).map(({ logOdds }) => logOdds);
        const threshold = others.toSorted((a, b) => b - a)[Math.floor(others.length * wanted)] ?? 0;
        const isAbove = (each: Score) => each.fold === fold && each.logOdds > threshold;
        found += malicious.filter(isAbove).length;
        mistakes += clean.filter(isAbove).length;
      }
      const text = `${percent(found, malicious.length)} (${percent(mistakes, clean.length)})`;
      return [`found at ${wanted * 100} % (seen)`, text];
    }),
  );
}

/** The family of a source, or its name; the plugins of one collection under one name. */
const nameOf = (repository: string): string =>
  familyOf(repository) ?? repository.replace(/(^WordPressBugBounty\/plugins-).*/, '$1…');
