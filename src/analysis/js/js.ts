import { placeIn } from '../place.ts';
import type { Findings, Signal } from '../signal.ts';
import { reportStyle } from './blocks.ts';
import { CALL_WORDS, judgeCalls } from './calls.ts';
import { foldTexts, type JsText, TEXT_WORDS, withFoldedTexts } from './fold.ts';
import { judgeForms } from './forms.ts';
import { lexJs } from './lexer.ts';
import { withPlainMembers } from './members.ts';
import { splitBundle } from './modules.ts';
import { judgeNode } from './node.ts';
import { judgeObfuscators, OBFUSCATOR_WORDS } from './obfuscators.ts';
import { unpackedScripts } from './packer.ts';
import { scopesOf, signsOf } from './scopes.ts';
import { JS } from './signals.ts';
import { judgeSinks, SINK_WORDS } from './sinks.ts';
import { stylesOf } from './styles.ts';
import { judgeTexts } from './texts.ts';
import { valuesOf } from './values.ts';
import { judgeVisitors } from './visitors.ts';
import { wordsOf } from './words.ts';

/** Names that a judge examines; each judge exports its own list. */
const ACTING: ReadonlySet<string> = new Set([
  ...CALL_WORDS,
  ...TEXT_WORDS,
  ...OBFUSCATOR_WORDS,
  ...SINK_WORDS,
]);
const LAYERS_MAX = 3;
/** Maximum number of characters in all layers of one analysis. */
const LAYERS_CHARS_MAX = 64 * 1024;

/** Remaining budget for scripts inside scripts, in characters. */
export interface Layers {
  chars: number;
}
/** The full budget of one analysis. */
export const allLayers = (): Layers => ({ chars: LAYERS_CHARS_MAX });

const CODE =
  /\b(?:eval|document|window|function|script|iframe|ActiveXObject|WScript|location|createElement|XMLHttp\w*)\b\s*[(.=<{]|<(?:script|iframe)\b|\bvar\s+\w+\s*=/i;

/**
 * Analyses a script: evaluates its texts as at run time, then judges them together with its calls.
 *
 * @param linesBefore lines of the whole content before the script
 */
export function analyzeJs(
  source: string,
  findings: Findings,
  layers: Layers,
  linesBefore = findings.linesBefore,
): void {
  readScript(source, findings, layers, LAYERS_MAX, '', linesBefore);
}

function readScript(
  source: string,
  findings: Findings,
  layers: Layers,
  layersLeft: number,
  outer: string,
  linesBefore: number,
): void {
  const surface = lexJs(source);
  const { tokens, modules, evals } = splitBundle(surface.tokens);
  const texts = foldTexts(tokens);
  const plain = withPlainMembers(tokens);
  const signs = signsOf(plain);
  const scopes = scopesOf(plain, signs);
  const values = valuesOf(plain, signs, scopes);
  const words = wordsOf(plain, ACTING);
  const where = placeIn(source, outer, linesBefore);
  const report = (signal: Signal, at: number) => findings.add(signal, where(at));
  judgeCalls(plain, words, report);
  judgeTexts(texts, plain, words, report);
  judgeVisitors(plain, texts, words, report);
  judgeNode(plain, words, report);
  judgeSinks(plain, words, scopes, values, report);
  judgeObfuscators(plain, words, report);
  const folded = withFoldedTexts(plain, words.telling);
  const { telling } = folded === plain ? words : wordsOf(folded, ACTING);
  judgeForms(folded, { names: words.names, telling }, report);
  reportStyle(stylesOf(source, surface, tokens), findings, where);
  if (layersLeft === 0) return;
  for (const text of [...unpackedScripts(tokens, evals), modules]) {
    const layer = take(layers, text);
    if (layer !== '') readScript(layer, findings, layers, layersLeft - 1, outer, linesBefore);
  }
  for (const { text, at } of encodedLayers(texts)) {
    report(JS.hiddenCode, at);
    const place = outer === '' ? `in content decoded from ${where(at)}` : outer;
    readScript(take(layers, text), findings, layers, layersLeft - 1, place, linesBefore);
  }
}

/** Takes as much of a text as the budget allows. */
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
