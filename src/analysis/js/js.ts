import { placeIn } from '../place.ts';
import type { Findings, Signal } from '../signal.ts';
import { judgeCalls } from './calls.ts';
import { foldTexts, type JsText } from './fold.ts';
import { lexJs } from './lexer.ts';
import { splitBundle } from './modules.ts';
import { judgeNode } from './node.ts';
import { unpackedScripts } from './packer.ts';
import { judgeReadability } from './readability.ts';
import { JS } from './signals.ts';
import { judgeTexts } from './texts.ts';
import { judgeVisitors } from './visitors.ts';

const LAYERS_MAX = 3;
/** Characters of all layers of one analysis that are read. */
const LAYERS_CHARS_MAX = 64 * 1024;

/** What is left to be read of scripts inside of scripts. */
export interface Layers {
  chars: number;
}
/** All that one analysis may read of them. */
export const allLayers = (): Layers => ({ chars: LAYERS_CHARS_MAX });

const CODE =
  /\b(?:eval|document|window|function|script|iframe|ActiveXObject|WScript|location|createElement|XMLHttp\w*)\b\s*[(.=<{]|<(?:script|iframe)\b|\bvar\s+\w+\s*=/i;

/** Finds what a script does that it should not. Its texts are put together as they are when it runs, then judged with its calls. */
export function analyzeJs(source: string, findings: Findings, layers: Layers): void {
  readScript(source, findings, layers, LAYERS_MAX, '');
}

function readScript(
  source: string,
  findings: Findings,
  layers: Layers,
  layersLeft: number,
  outer: string,
): void {
  const surface = lexJs(source);
  const { tokens, modules } = splitBundle(surface.tokens);
  const texts = foldTexts(tokens);
  const names = tokens.filter(({ kind }) => kind === 'name').map(({ text }) => text);
  const differentNames = new Set(names);
  const where = placeIn(source, outer);
  const report = (signal: Signal, at: number) => findings.add(signal, where(at));
  judgeCalls(tokens, report);
  judgeTexts(texts, tokens, names, report);
  judgeVisitors(tokens, texts, differentNames, report);
  judgeNode(tokens, differentNames, report);
  judgeReadability(source, { ...surface, tokens }, texts, report);
  if (layersLeft === 0) return;
  for (const text of [...unpackedScripts(tokens), modules]) {
    const layer = take(layers, text);
    if (layer !== '') readScript(layer, findings, layers, layersLeft - 1, outer);
  }
  for (const { text, at } of encodedLayers(texts)) {
    report(JS.hiddenCode, at);
    const place = outer === '' ? `in what is decoded in ${where(at)}` : outer;
    readScript(take(layers, text), findings, layers, layersLeft - 1, place);
  }
}

/** The beginning of a text that may still be read. */
function take(layers: Layers, text: string): string {
  const taken = text.slice(0, layers.chars);
  layers.chars -= taken.length;
  return taken;
}

const LAYERS_PER_SCRIPT = 6;

function encodedLayers(texts: readonly JsText[]): readonly JsText[] {
  return texts
    .filter(({ text, wasHidden }) => wasHidden && text.length >= 20 && CODE.test(text))
    .slice(0, LAYERS_PER_SCRIPT);
}
