import { judgeCalls } from './js/calls.ts';
import { foldTexts, type JsText } from './js/fold.ts';
import { lexJs } from './js/lexer.ts';
import { splitBundle } from './js/modules.ts';
import { unpackedScripts } from './js/packer.ts';
import { judgeReadability } from './js/readability.ts';
import { JS } from './js/signals.ts';
import { judgeTexts } from './js/texts.ts';
import { placeIn } from './place.ts';
import type { Findings, Signal } from './signal.ts';

const LAYERS_MAX = 3;
const LAYER_CHARS_MAX = 128 * 1024;
const CODE =
  /\b(?:eval|document|window|function|script|iframe|ActiveXObject|WScript|location|createElement|XMLHttp\w*)\b\s*[(.=<{]|<(?:script|iframe)\b|\bvar\s+\w+\s*=/i;

/** Finds what a script does that it should not. Its texts are put together as they are when it runs, then judged with its calls. */
export function analyzeJs(source: string, findings: Findings): void {
  readScript(source, findings, LAYERS_MAX, '');
}

function readScript(source: string, findings: Findings, layersLeft: number, outer: string): void {
  const surface = lexJs(source);
  const { tokens, modules } = splitBundle(surface.tokens);
  const texts = foldTexts(tokens);
  const where = placeIn(source, outer);
  const report = (signal: Signal, at: number) => findings.add(signal, where(at));
  judgeCalls(tokens, report);
  judgeTexts(texts, tokens, report);
  judgeReadability(source, { ...surface, tokens }, texts, report);
  if (layersLeft === 0) return;
  for (const text of [...unpackedScripts(tokens), modules]) {
    if (text !== '') readScript(text.slice(0, LAYER_CHARS_MAX), findings, layersLeft - 1, outer);
  }
  for (const { text, at } of encodedLayers(texts)) {
    report(JS.hiddenCode, at);
    readScript(
      text.slice(0, LAYER_CHARS_MAX),
      findings,
      layersLeft - 1,
      outer === '' ? `in what is decoded in ${where(at)}` : outer,
    );
  }
}

const LAYERS_PER_SCRIPT = 6;

function encodedLayers(texts: readonly JsText[]): readonly JsText[] {
  return texts
    .filter(({ text, wasHidden }) => wasHidden && text.length >= 20 && CODE.test(text))
    .slice(0, LAYERS_PER_SCRIPT);
}
