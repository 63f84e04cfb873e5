import { findingsIn } from '../../src/analysis/analysis.ts';
import type { Finding } from '../../src/analysis/signal.ts';
import { type Case, SOURCES, type Source } from './corpus.ts';
import { foldOf, isAmong, keyOf } from './folds.ts';
import { TUNED_BY } from './written-from.ts';

/** A content with what was found. */
export interface Tried {
  readonly source: Source;
  readonly fold: number;
  readonly case: Case;
  readonly findings: readonly Finding[];
}

export interface Trial {
  readonly mirror: string;
  /** A word of the categories that are wanted. */
  readonly only: string;
  /** Whether contents of a source are judged: those of others are read so that copies of them do not count. */
  readonly isWanted: (source: Source) => boolean;
  /** Of clean code one file in so many is read. */
  readonly every: number;
}

/**
 * Judges the contents of sources, each once: those of the tuning side first, so that no copy of them counts elsewhere, then those of
 * sources that nothing was written from.
 */
export function* tryContents({ mirror, only, isWanted, every }: Trial): Generator<Tried> {
  const seen = new Set<string>();
  const rank = ({ side, repository }: Source) => (side === 'tuning' ? 0 : TUNED_BY.has(repository) ? 2 : 1);
  for (const source of SOURCES.toSorted((a, b) => rank(a) - rank(b))) {
    if (!source.category.includes(only)) continue;
    const fold = foldOf(source.repository);
    const isSampled = source.label === 'clean' && source.category.startsWith('code: ');
    for (const each of source.casesOf(mirror, (path) => isAmong(path, isSampled ? every : 1))) {
      const key = keyOf(each);
      if (seen.has(key)) continue;
      seen.add(key);
      if (isWanted(source)) yield { source, fold, case: each, findings: findingsIn(each) };
    }
  }
}
