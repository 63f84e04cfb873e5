import { lineCounter, placeIn } from '../place.ts';
import type { Findings } from '../signal.ts';
import { lexPhp } from './lexer.ts';
import { judgeFile } from './profile.ts';
import { bareSections } from './sections.ts';
import { PHP } from './signals.ts';
import { readStatements } from './statements.ts';
import type { Shared } from './summary.ts';
import { Walk } from './walk.ts';

/** Maximum nesting of code inside code. */
const LAYERS_MAX = 8;
/** Maximum number of characters in all layers of one analysis. */
const LAYERS_CHARS_MAX = 64 * 1024;
/** Decoding budget, in characters read and written. */
const DECODED_CHARS_MAX = 1024 * 1024;
/** Budget for reading long stored texts, in characters; each read may scan the whole text. */
const RECALLED_CHARS_MAX = 2 * 1024 * 1024;

/**
 * Analyses a PHP file. It is lexed, then read twice: first to summarise its functions, then to follow values from their sources
 * to their uses.
 *
 * @param startsInside whether the text is code without an opening tag
 */
export function analyzePhp(source: string, startsInside: boolean, findings: Findings): void {
  readFile(source, startsInside, findings, fullBudget(), {
    layersLeft: LAYERS_MAX,
    outer: '',
    read: new Set(),
  });
}

interface Budget {
  decoded: number;
  recalled: number;
  layers: number;
}

/** The full budget for one reading of a file. */
const fullBudget = (): Budget => ({
  decoded: DECODED_CHARS_MAX,
  recalled: RECALLED_CHARS_MAX,
  layers: LAYERS_CHARS_MAX,
});

/** Nesting of a text, and the place of the outermost layer. */
interface Depth {
  readonly layersLeft: number;
  readonly outer: string;
  /** Layers already read, because code can run the same text many times. */
  readonly read: Set<string>;
}

function readFile(
  source: string,
  startsInside: boolean,
  findings: Findings,
  budget: Budget,
  depth: Depth,
): void {
  const surface = lexPhp(source, startsInside);
  if (!surface.hasCode) return;
  const where = placeIn(source, depth.outer, findings.linesBefore);
  const shared = sharedBy(findings, budget, depth);
  const first = new Walk(surface.tokens, shared, where);
  readStatements(first);
  const second = new Walk(surface.tokens, shared, where, first);
  readStatements(second);
  judgeFile(second, surface, source);
  if (depth.outer !== '') return;
  judgeFunctions(second, findings);
  const sections = bareSections(surface, source);
  if (sections.length === 0) return;
  const left = fullBudget();
  const lineOf = lineCounter(source);
  for (const section of sections) {
    const linesBefore = findings.linesBefore + lineOf(section.startsAt) - 1;
    const apart = findings.apart({ content: section.source, linesBefore });
    const part = sharedBy(apart, left, { ...depth, read: new Set() });
    const walk = new Walk(section.surface.tokens, part, where, first);
    walk.startAt(section.from, second);
    readStatements(walk);
    judgeFile(walk, section.surface, section.source);
  }
}

function sharedBy(findings: Findings, budget: Budget, { layersLeft, outer, read }: Depth): Shared {
  return {
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
      if (layersLeft === 0 || budget.layers === 0 || read.has(code)) return;
      read.add(code);
      const text = code.slice(0, budget.layers);
      budget.layers -= text.length;
      const startsInside = !/^(?!\s*\?>)[\s\S]*<\?(?:php|=)/.test(text);
      const layer = outer === '' ? `in content decoded from ${place}` : outer;
      readFile(text, startsInside, findings, budget, { layersLeft: layersLeft - 1, outer: layer, read });
    },
  };
}

/** Lighter findings depend on their context. */
const CLEAR_WEIGHT = 4;

/**
 * Judges clear findings of a single function also separately, because innocent code around it is no excuse. If the whole file
 * only defines functions, that still counts.
 */
function judgeFunctions(walk: Walk, findings: Findings): void {
  for (const found of walk.foundIn.values()) {
    if (!found.has(PHP.uploadOpen) && ![...found.keys()].some(({ weight }) => weight >= CLEAR_WEIGHT))
      continue;
    const part = findings.apart();
    if (findings.has(PHP.definitions)) part.add(PHP.definitions, '');
    for (const [signal, place] of found) part.add(signal, place);
  }
}
