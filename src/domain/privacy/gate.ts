import { both, consistsOfTerms, judgeKey, type KeyVerdict, PASSES } from './key-rules.ts';
import { ANY_LEAF, leafOf, NO_LEAF } from './measures.ts';
import { plainText } from './normalise.ts';
import { numberRule } from './numbers.ts';
import type { PrivacyPolicy, PrivacyViolation } from './policy.ts';
import { hashRule, textRule } from './value-rules.ts';

export { stripLegacyCallerFields } from './legacy-fields.ts';
export type { PrivacyPolicy, PrivacyViolation } from './policy.ts';

/**
 * Inspects a whole parsed JSON body, keys and values at every depth, for what the route refuses.
 *
 * @param names those of the contract, which a violation may repeat
 * @returns the first violation, or undefined when the body may pass. Linear time in the body's size; never throws. The reader
 *   bounds the depth to 32; deeper than 64 is refused here.
 */
export function inspect(
  body: unknown,
  policy: PrivacyPolicy,
  names: ReadonlySet<string> = policy.fields,
): PrivacyViolation | undefined {
  const inspection: Inspection = { policy, names, passedKeys: passedKeysOf(policy), segments: [] };
  const rule = ruleOfValue(body, PASSES, 0, inspection);
  return rule === undefined ? undefined : { path: pathOf(inspection.segments), rule };
}

interface Inspection {
  readonly policy: PrivacyPolicy;
  readonly names: ReadonlySet<string>;
  readonly passedKeys: Map<string, KeyVerdict>;
  /** The path of the violation, innermost first: written on the way out, so that a clean body pays nothing. */
  readonly segments: string[];
}

/** `demand` is what the keys above require of the value. */
function ruleOfValue(
  value: unknown,
  demand: KeyVerdict,
  depth: number,
  inspection: Inspection,
): string | undefined {
  if (typeof value === 'string') {
    return textRule(value, 'value', inspection.policy) ?? ruleOfLeaf(value, demand);
  }
  if (typeof value === 'number') return numberRule(value) ?? ruleOfLeaf(value, demand);
  if (typeof value === 'boolean') return ruleOfLeaf(value, demand);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEPTH_MAX) return 'body.too-deep';
  return Array.isArray(value)
    ? ruleOfArray(value, demand, depth + 1, inspection)
    : ruleOfObject(value, demand, depth + 1, inspection);
}

function ruleOfLeaf(value: string | number | boolean, demand: KeyVerdict): string | undefined {
  return demand.leaves === ANY_LEAF || demand.leaves & leafOf(value) ? undefined : demand.rule;
}

function ruleOfArray(
  values: readonly unknown[],
  demand: KeyVerdict,
  depth: number,
  inspection: Inspection,
): string | undefined {
  for (const [index, value] of values.entries()) {
    const rule = ruleOfValue(value, demand, depth, inspection);
    if (rule === undefined) continue;
    inspection.segments.push(`[${index}]`);
    return rule;
  }
  return undefined;
}

function ruleOfObject(
  fields: object,
  demand: KeyVerdict,
  depth: number,
  inspection: Inspection,
): string | undefined {
  let position = 0;
  for (const key of Object.keys(fields)) {
    const value: unknown = fields[key as keyof typeof fields];
    const rule =
      depth === 1 && isOfContract(key, inspection.policy)
        ? ruleOfContractField(key, value, inspection)
        : ruleOfField(key, value, demand, depth, inspection);
    if (rule !== undefined) {
      inspection.segments.push(isShowable(key, inspection) ? `.${key}` : `.<key ${position}>`);
      return rule;
    }
    position++;
  }
  return undefined;
}

const isOfContract = (key: string, policy: PrivacyPolicy): boolean =>
  policy.fields.has(key) || policy.hashFields.has(key);

/** A contract field at its place has no key to check, and may contain a hash. */
function ruleOfContractField(key: string, value: unknown, inspection: Inspection): string | undefined {
  return typeof value === 'string' && inspection.policy.hashFields.has(key)
    ? hashRule(value, inspection.policy)
    : ruleOfValue(value, PASSES, 1, inspection);
}

function ruleOfField(
  key: string,
  value: unknown,
  demand: KeyVerdict,
  depth: number,
  inspection: Inspection,
): string | undefined {
  const verdict = verdictOnKey(key, inspection);
  if (verdict.leaves === NO_LEAF) return verdict.rule;
  return ruleOfValue(value, both(demand, verdict), depth, inspection);
}

/** The verdict on a key as a name and as a text that may hold something itself. */
function verdictOnKey(key: string, { policy, passedKeys }: Inspection): KeyVerdict {
  const known = passedKeys.get(key);
  if (known !== undefined) return known;
  if (key.length > KEY_LENGTH_MAX) return { leaves: NO_LEAF, rule: 'key.too-long' };
  const rule = textRule(key, 'key', policy);
  if (rule !== undefined) return { leaves: NO_LEAF, rule };
  const verdict = judgeKey(key, policy);
  if (verdict.leaves === NO_LEAF) return verdict;
  if (OTHER_LETTER.test(plainText(key))) return { leaves: NO_LEAF, rule: 'key.script' };
  if (IDENTIFIER.test(key)) {
    if (passedKeys.size === PASSED_KEYS_MAX) passedKeys.clear();
    passedKeys.set(key, verdict);
  }
  return verdict;
}

/** Any other name is the caller's own, and may say what its value does. */
const isShowable = (key: string, { names, policy }: Inspection): boolean =>
  names.has(key) || isOfContract(key, policy) || consistsOfTerms(key);

function pathOf(segments: readonly string[]): string {
  const path = segments.toReversed().join('');
  if (path === '') return '<body>';
  return path.startsWith('.') ? path.slice(1) : path;
}

/**
 * Verdicts on keys that passed: a client sends the same few names repeatedly. Excludes refused keys, and keys that are not
 * plain names. Callers can fill the memory only up to its bound.
 */
const PASSED_KEYS = new WeakMap<PrivacyPolicy, Map<string, KeyVerdict>>();

function passedKeysOf(policy: PrivacyPolicy): Map<string, KeyVerdict> {
  let passed = PASSED_KEYS.get(policy);
  if (passed === undefined) {
    passed = new Map();
    PASSED_KEYS.set(policy, passed);
  }
  return passed;
}

/** Includes look-alikes of Latin letters, and terms in other languages. */
const OTHER_LETTER = /(?![A-Za-z])\p{L}/u;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;
const KEY_LENGTH_MAX = 64;
const PASSED_KEYS_MAX = 1024;
const DEPTH_MAX = 64;
