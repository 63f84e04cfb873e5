import type { Analysis } from './analysis.ts';
import { type InputType, REASONS_MAX } from './contents.ts';
import { recommend } from './recommendations.ts';

/** Combines the analyses of a content's windows: the verdict of the worst, and the reasons of all, the worst first. */
export function worstOf(windows: readonly Analysis[], inputType: InputType): Analysis {
  const [worst, ...others] = windows.toSorted((a, b) => b.score - a.score);
  if (worst === undefined) throw new Error('A content has a window.');
  if (others.length === 0) return worst;
  const all = [worst, ...others];
  const categories = [...new Set(all.flatMap((each) => each.categories))];
  return {
    ...worst,
    categories,
    reasons: [...new Set(all.flatMap((each) => each.reasons))].slice(0, REASONS_MAX),
    recommendations: recommend(worst.verdict, inputType, categories),
  };
}
