import { placeIn } from '../place.ts';
import type { Findings } from '../signal.ts';
import { namesIn } from './names.ts';
import { MODEL, signalFor } from './signals.ts';
import { newTokens, readTokens } from './tokens.ts';
import base64 from './weights.b64' with { type: 'text' };
import { readWeights } from './weights.ts';
import { worstWindow } from './windows.ts';

const weights = readWeights(base64);
const tokens = newTokens();

/**
 * Adds what a statistical model says of code beside the rules: how much the window of it that looks worst resembles known malware.
 * It only ever adds. How it came about: test/evaluation/train.ts.
 */
export function judgeByModel(content: string, findings: Findings): void {
  readTokens(content, tokens);
  const worst = worstWindow(tokens, weights);
  if (worst === undefined) return;
  const steps = content.includes('<?') ? MODEL.php : MODEL.other;
  const signal = signalFor(steps, (worst.score - weights.zero) * weights.slope);
  if (signal === undefined) return;
  const names = namesIn(content, tokens, worst);
  const where = placeIn(content, '', findings.linesBefore)(tokens.starts[worst.from] as number);
  findings.add(signal, names.length === 0 ? `from ${where}` : `from ${where}, with ${names.join(', ')}`);
}
