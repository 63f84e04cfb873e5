import type { AST } from '@eslint-community/regexpp';

/** Letters, digits, spaces and signs that patterns distinguish, the common ones first. */
const USUAL = [...'a1 \n./_-\\\'"<>()[]{}=:;,*+?$%&#@!|`~^AzZéб忽\t\r\u2028'];
/** How often an optional part is used, in each variant. */
const TAKEN = [0, 1, 1, 4] as const;
const WORD_CHARS_MAX = 400;

type Parts = AST.Pattern | AST.Element | AST.Alternative;

/** The text that a part of a pattern matches, as a pattern. */
function alone(raw: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
  } catch {
    return undefined;
  }
}

/** Signs and short texts that the parts of one pattern match. */
export class Words {
  readonly #flags: string;
  readonly #signs: readonly string[];
  readonly #taken = new Map<string, readonly string[]>();

  constructor(pattern: AST.Pattern, flags: string) {
    this.#flags = flags;
    const sets = new Set<string>();
    const signs = new Set<string>();
    for (const part of partsOf(pattern)) {
      if (part.type === 'CharacterClass' || part.type === 'CharacterSet') sets.add(part.raw);
      if (part.type === 'Character') signs.add(String.fromCodePoint(part.value));
      if (part.type === 'CharacterClassRange')
        for (const { value } of [part.min, part.max]) signs.add(String.fromCodePoint(value));
    }
    const tests = [...sets].map((raw) => alone(raw, flags));
    const kinds = new Map<string, string>();
    for (const sign of [...USUAL, ...signs]) {
      const kind = tests.map((test) => (test?.test(sign) ? 1 : 0)).join('');
      if (!kinds.has(kind)) kinds.set(kind, sign);
    }
    // One sign of each kind first, because sets differ in these.
    this.#signs = [...new Set([...kinds.values(), ...signs, ...USUAL])];
  }

  /** The single signs that a part matches, one of each kind first. */
  signsOf(raw: string): readonly string[] {
    let taken = this.#taken.get(raw);
    if (taken === undefined) {
      const test = alone(raw, this.#flags);
      taken = test ? this.#signs.filter((sign) => test.test(sign)) : [];
      this.#taken.set(raw, taken);
    }
    return taken;
  }

  /**
   * Short texts that a part matches: of its first choices, of its last, and with optional parts, also
   * repeated.
   */
  of(part: Parts): string[] {
    return TAKEN.map((_, variant) => this.#word(part, variant));
  }

  #word(part: Parts, variant: number): string {
    switch (part.type) {
      case 'Alternative':
        return part.elements
          .map((element) => this.#word(element, variant))
          .join('')
          .slice(0, WORD_CHARS_MAX);
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return this.#ofChoices(part.alternatives, variant);
      case 'Quantifier': {
        const times = Math.min(Math.max(part.min, TAKEN[variant] ?? 0), part.max);
        return this.#word(part.element, variant)
          .repeat(Math.min(times, WORD_CHARS_MAX))
          .slice(0, WORD_CHARS_MAX);
      }
      case 'Assertion':
        return part.kind === 'lookbehind' && !part.negate ? this.#ofChoices(part.alternatives, variant) : '';
      case 'Backreference':
        return this.#word([part.resolved].flat()[0] as AST.CapturingGroup, variant);
      case 'Character':
        return String.fromCodePoint(part.value);
      default:
        return this.signsOf(part.raw).at(variant === 1 ? -1 : 0) ?? '';
    }
  }

  #ofChoices(choices: readonly AST.Alternative[], variant: number): string {
    const choice = choices.at(variant === 1 ? -1 : 0);
    return choice ? this.#word(choice, variant) : '';
  }
}

/** Every part of a pattern. */
export function* partsOf(part: AST.Node): Generator<AST.Node> {
  yield part;
  if (part.type === 'Quantifier') yield* partsOf(part.element);
  if (part.type === 'CharacterClass' || part.type === 'Alternative')
    for (const each of part.elements) yield* partsOf(each);
  if ('alternatives' in part) for (const each of part.alternatives) yield* partsOf(each);
}
