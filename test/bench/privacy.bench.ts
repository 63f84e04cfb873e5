/**
 * The cost of the privacy gate: `bun test/bench/privacy.bench.ts`. Typical bodies are generated as in the
 * tests; adversarial ones fill 32 KiB. `JSON.parse` of the same body is the measure for each.
 */
import fc from 'fast-check';
import { inspect, type PrivacyPolicy } from '../../src/domain/privacy/gate.ts';
import { digitalImmunityPolicy } from '../../src/domain/privacy/policies.ts';
import { ADVERSARIAL } from '../domain/privacy/adversarial.ts';
import { VALID_BODIES } from '../domain/privacy/valid-bodies.ts';

const ROUNDS = 31;

function medianNs(run: () => void, callsPerRound: number): number {
  for (let i = 0; i < callsPerRound; i++) run();
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    for (let i = 0; i < callsPerRound; i++) run();
    return ((performance.now() - start) * 1e6) / callsPerRound;
  });
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
}

/** Alternating bodies, so that neither the engine nor a cache gets one object only. */
function inTurn<T>(items: readonly T[], use: (item: T) => void): () => void {
  let at = 0;
  return () => {
    const item = items[at++ % items.length];
    if (item !== undefined) use(item);
  };
}

function typical(policy: PrivacyPolicy, arbitrary: fc.Arbitrary<object>): Record<string, string | number> {
  const texts = fc.sample(arbitrary, { numRuns: 64, seed: 1 }).map((body) => JSON.stringify(body));
  const bodies = texts.map((text): unknown => JSON.parse(text));
  return {
    policy: policy.name,
    bytes: Math.round(texts.join('').length / texts.length),
    'inspect ns': Math.round(
      medianNs(
        inTurn(bodies, (body) => inspect(body, policy)),
        4000,
      ),
    ),
    'JSON.parse ns': Math.round(medianNs(inTurn(texts, JSON.parse), 4000)),
  };
}

function adversarial(name: string, body: unknown): Record<string, string | number> {
  const text = JSON.stringify(body);
  const kib = new TextEncoder().encode(text).length / 1024;
  const inspected = medianNs(() => inspect(body, digitalImmunityPolicy), 5);
  return {
    body: name,
    KiB: Math.round(kib),
    'inspect us/KiB': Number((inspected / kib / 1000).toFixed(2)),
    'inspect us': Math.round(inspected / 1000),
    'JSON.parse us': Math.round(medianNs(() => JSON.parse(text), 5) / 1000),
    answer: inspect(body, digitalImmunityPolicy)?.rule ?? 'passes',
  };
}

console.table(VALID_BODIES.map(([policy, arbitrary]) => typical(policy, arbitrary)));
console.table(ADVERSARIAL.map(([name, bodyOf]) => adversarial(name, bodyOf(32 * 1024))));
