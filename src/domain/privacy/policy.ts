/**
 * The refusals of a route: plain data, compiled once when the module loads.
 *
 * The value rules are the same on every route. A policy says which key terms a route refuses, which of its own fields a rule
 * would otherwise take for something forbidden, and which fields hold an opaque hash.
 */
export interface PrivacyPolicy {
  /** The route, for messages and benches. */
  readonly name: string;
  /** Each refused term of a key (lower-case words, one space between them) and the rule it belongs to. */
  readonly terms: ReadonlyMap<string, string>;
  /** Whether a measurement about a refused term may pass, see key-rules.ts. */
  readonly measurements: 'allowed' | 'refused';
  /** Names of top-level fields that the contract itself has: exempt from the key rules. */
  readonly fields: ReadonlySet<string>;
  /**
   * Names of top-level fields whose value is an opaque hash: random by design, so exempt from the entropy,
   * base64 and digit rules as long as it has the form of a hash token.
   */
  readonly hashFields: ReadonlySet<string>;
  /** Whether relative paths, bare file names and parts of files are refused as well as absolute paths. */
  readonly refusesContent: boolean;
}

/** Why a body is refused: where, and by which rule of rule-table.ts. Neither contains a caller's value. */
export interface PrivacyViolation {
  /**
   * Such as `keys[3].userEmail`. A key that is not of the contract, and does not consist of words of the rules alone, is shown
   * by its position among its siblings, from 0: `keys[3].<key 2>`.
   */
  readonly path: string;
  readonly rule: string;
}
