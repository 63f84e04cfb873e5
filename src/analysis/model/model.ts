import { placeIn } from '../place.ts';
import type { Extract, Finding, Findings, Signal } from '../signal.ts';
import { namesIn } from './names.ts';
import { MODEL, signalFor } from './signals.ts';
import { newTokens, readTokens } from './tokens.ts';
import base64 from './weights.b64' with { type: 'text' };
import { readWeights } from './weights.ts';
import { worstWindow } from './windows.ts';

const weights = readWeights(base64);
const tokens = newTokens();
/** Pages begin with markup and contain snippets of other programs, so their log-odds are reduced. */
const PAGE = /^\s*<(?![?%])/;
const SNIPPETS = 0.5;
/** Minimum length for full certainty, in tokens, because short contents resemble parts of many others. */
const CERTAIN_TOKENS = 100;

/**
 * Adds the finding of a statistical model: how much the most suspicious window of the code resembles known malware. The model
 * never reduces suspicion. Parts that are judged separately are read separately. Training: test/evaluation/train.ts.
 */
export function judgeByModel(content: string, findings: Findings): void {
  const steps = content.includes('<?') ? MODEL.php : MODEL.other;
  const ofWhole = findingIn({ content, linesBefore: findings.linesBefore }, steps);
  for (const part of [findings, ...findings.parts]) {
    const { content: own, linesBefore } = part;
    const found = own === undefined ? ofWhole : findingIn({ content: own, linesBefore }, steps);
    if (found) part.add(found.signal, found.where);
  }
}

function findingIn({ content, linesBefore }: Extract, steps: readonly Signal[]): Finding | undefined {
  readTokens(content, tokens);
  const worst = worstWindow(tokens, weights, steps === MODEL.php);
  if (worst === undefined) return undefined;
  const certainty = Math.min(1, (worst.to - worst.from) / CERTAIN_TOKENS);
  const logOdds = (worst.score - weights.zero) * weights.slope * certainty;
  const signal = signalFor(steps, PAGE.test(content) ? logOdds - SNIPPETS : logOdds);
  if (signal === undefined) return undefined;
  const names = namesIn(content, tokens, worst);
  const place = placeIn(content, '', linesBefore)(tokens.starts[worst.from] as number);
  const onward = `from ${place} onward`;
  return { signal, where: names.length === 0 ? onward : `${onward}, using ${names.join(', ')}` };
}
