import { lineCounter, placeIn } from '../place.ts';
import type { Findings } from '../signal.ts';
import { lexPhp } from './lexer.ts';
import { judgeFile } from './profile.ts';
import { bareSections } from './sections.ts';
import { PHP } from './signals.ts';
import { readStatements } from './statements.ts';
import type { Shared } from './summary.ts';
import { Walk } from './walk.ts';

/** Layers of code inside code that are followed. */
const LAYERS_MAX = 8;
/** Characters of all layers of one analysis that are read. */
const LAYERS_CHARS_MAX = 64 * 1024;
/** Characters that decoding may read and write. */
const DECODED_CHARS_MAX = 1024 * 1024;
/** Characters of long texts that may be taken from where they are kept; each may be read through every time. */
const RECALLED_CHARS_MAX = 2 * 1024 * 1024;

/**
 * Finds what a PHP file does that it should not. The file is lexed, then read twice as a sequence of statements: once to
 * learn what its functions do, once to follow values from where they come to where they are used.
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

/** All that one reading of a file may decode, and read of layers. */
const fullBudget = (): Budget => ({
  decoded: DECODED_CHARS_MAX,
  recalled: RECALLED_CHARS_MAX,
  layers: LAYERS_CHARS_MAX,
});

/** How deep a text lies in others, and where the outermost of them stands. */
interface Depth {
  readonly layersLeft: number;
  readonly outer: string;
  /** Layers that have been read: code can run the same text again and again. */
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
      const layer = outer === '' ? `in what is decoded in ${place}` : outer;
      readFile(text, startsInside, findings, budget, { layersLeft: layersLeft - 1, outer: layer, read });
    },
  };
}

/** Where no finding weighs as much, all depend on what stands around them. */
const CLEAR_WEIGHT = 4;

/**
 * What one function clearly does is judged by itself as well: what stands around it says nothing of it, but that nothing in the file runs
 * it.
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
