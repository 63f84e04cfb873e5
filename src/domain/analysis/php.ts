import { lexPhp } from './php/lexer.ts';
import { judgeFile } from './php/profile.ts';
import { readStatements } from './php/statements.ts';
import { DECODING_BUDGET_CHARS, type Shared, Walk } from './php/walk.ts';
import { placeIn } from './place.ts';
import type { Findings } from './signal.ts';

/** Layers of code inside code that are followed. */
const LAYERS_MAX = 8;

/**
 * Finds what a PHP file does that it should not. The file is lexed, then read twice as a sequence of statements: once to
 * learn what its functions do, once to follow values from where they come to where they are used.
 *
 * @param startsInside whether the text is code without an opening tag
 */
export function analyzePhp(source: string, startsInside: boolean, findings: Findings): void {
  const budget = { chars: DECODING_BUDGET_CHARS };
  readLayer(source, startsInside, findings, budget, LAYERS_MAX, '');
}

function readLayer(
  source: string,
  startsInside: boolean,
  findings: Findings,
  budget: { chars: number },
  layersLeft: number,
  outer: string,
): void {
  const surface = lexPhp(source, startsInside);
  if (!surface.hasCode) return;
  const where = placeIn(source, outer);
  const shared: Shared = {
    report: (signal, place) => findings.add(signal, place),
    spend: (chars) => {
      budget.chars -= chars;
      return budget.chars > 0;
    },
    readLayer: (code, place) => {
      if (layersLeft === 0) return;
      const layer = outer === '' ? `in what is decoded in ${place}` : outer;
      readLayer(code, !/^(?!\s*\?>)[\s\S]*<\?(?:php|=)/.test(code), findings, budget, layersLeft - 1, layer);
    },
  };

  const first = new Walk(surface.tokens, shared, where);
  readStatements(first);
  const second = new Walk(surface.tokens, shared, where, first);
  readStatements(second);
  judgeFile(second, surface, source);
}
