import { placeIn } from '../place.ts';
import type { Findings } from '../signal.ts';
import { lexPhp } from './lexer.ts';
import { judgeFile } from './profile.ts';
import { readStatements } from './statements.ts';
import { DECODING_BUDGET_CHARS, RECALL_BUDGET_CHARS, type Shared, Walk } from './walk.ts';

/** Layers of code inside code that are followed. */
const LAYERS_MAX = 8;
/** Characters of all layers of one analysis that are read. */
const LAYERS_CHARS_MAX = 64 * 1024;

/**
 * Finds what a PHP file does that it should not. The file is lexed, then read twice as a sequence of statements: once to
 * learn what its functions do, once to follow values from where they come to where they are used.
 *
 * @param startsInside whether the text is code without an opening tag
 */
export function analyzePhp(source: string, startsInside: boolean, findings: Findings): void {
  const budget = {
    decoded: DECODING_BUDGET_CHARS,
    recalled: RECALL_BUDGET_CHARS,
    layers: LAYERS_CHARS_MAX,
    read: new Set<string>(),
  };
  readLayer(source, startsInside, findings, budget, LAYERS_MAX, '');
}

interface Budget {
  decoded: number;
  recalled: number;
  layers: number;
  /** Layers that have been read: code can run the same text again and again. */
  readonly read: Set<string>;
}

function readLayer(
  source: string,
  startsInside: boolean,
  findings: Findings,
  budget: Budget,
  layersLeft: number,
  outer: string,
): void {
  const surface = lexPhp(source, startsInside);
  if (!surface.hasCode) return;
  const where = placeIn(source, outer);
  const shared: Shared = {
    report: (signal, place) => findings.add(signal, place),
    spend: (chars) => {
      budget.decoded -= chars;
      return budget.decoded > 0;
    },
    recall: (chars) => {
      budget.recalled -= chars;
      return budget.recalled > 0;
    },
    readLayer: (code, place) => {
      if (layersLeft === 0 || budget.layers === 0 || budget.read.has(code)) return;
      budget.read.add(code);
      const text = code.slice(0, budget.layers);
      budget.layers -= text.length;
      const layer = outer === '' ? `in what is decoded in ${place}` : outer;
      readLayer(text, !/^(?!\s*\?>)[\s\S]*<\?(?:php|=)/.test(text), findings, budget, layersLeft - 1, layer);
    },
  };

  const first = new Walk(surface.tokens, shared, where);
  readStatements(first);
  const second = new Walk(surface.tokens, shared, where, first);
  readStatements(second);
  judgeFile(second, surface, source);
}
