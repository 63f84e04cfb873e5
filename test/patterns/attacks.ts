import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { Words } from './words.ts';

/**
 * A text of any length: a repeated `pump`, after a prefix that leads to a repetition and before a suffix that
 * fails it.
 */
export interface Attack {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

/** Fewer repetitions take no noticeable time. */
const OFTEN = 20;
const SIGNS_MAX = 8;
const CHOICES_MAX = 6;
const LOOPS_MAX = 5;
const ATTACKS_MAX = 320;
/** The first is longer than any limit of a repetition. */
const ENDS = ['\u0001'.repeat(40), '', '\n'];

const parser = new RegExpParser({ ecmaVersion: 2025 });

/** Prefixes of a place, in some variants. */
type Lead = readonly string[];
const NOTHING: Lead = ['', '', '', ''];

const joined = (lead: Lead, more: Lead): Lead => lead.map((text, index) => text + (more[index] ?? ''));
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Attacks on each repetition of a pattern, most effective first. */
class Attacks {
  readonly #words: Words;
  readonly #isGlobal: boolean;
  readonly #byRepetition: Attack[][] = [];

  constructor(pattern: AST.Pattern, flags: string) {
    this.#words = new Words(pattern, flags);
    this.#isGlobal = flags.includes('g');
    this.#visit(pattern, NOTHING, [NOTHING], 1, NOTHING);
  }

  /** Alternates between repetitions, so that none is left out. */
  list(): Attack[] {
    const all = new Map<string, Attack>();
    const longest = Math.max(0, ...this.#byRepetition.map(({ length }) => length));
    for (let index = 0; index < longest && all.size < ATTACKS_MAX; index++) {
      for (const attack of this.#byRepetition.flatMap((attacks) => attacks[index] ?? []))
        all.set(JSON.stringify([attack.before, attack.pump, attack.after]), attack);
    }
    return [...all.values()];
  }

  #visit(
    part: AST.Element | AST.Pattern,
    lead: Lead,
    loops: readonly Lead[],
    times: number,
    rest: Lead,
  ): void {
    if (part.type === 'Quantifier') {
      const often = times * part.max;
      if (often >= OFTEN) this.#attack(part, lead, loops, rest);
      this.#visit(part.element, lead, often >= OFTEN ? [...loops, lead] : loops, often, rest);
    } else if ('alternatives' in part) {
      for (const choice of part.alternatives) this.#visitAll(choice.elements, lead, loops, times, rest);
    }
  }

  #visitAll(
    elements: readonly AST.Element[],
    lead: Lead,
    loops: readonly Lead[],
    times: number,
    rest: Lead,
  ): void {
    let [before, known] = [lead, loops];
    for (const [index, element] of elements.entries()) {
      const behind = elements.slice(index + 1).map((each) => this.#words.of(each));
      const after = behind.reduce<Lead>(joined, NOTHING);
      this.#visit(element, before, known, times, joined(after, rest));
      if (element.type === 'Quantifier' && element.max >= OFTEN) known = [...known, before];
      before = joined(before, this.#words.of(element));
    }
  }

  #attack(part: AST.Quantifier, lead: Lead, loops: readonly Lead[], rest: Lead): void {
    const { element } = part;
    const signs = this.#words.signsOf(element.raw);
    const bodies = distinct([...signs.slice(0, SIGNS_MAX), ...this.#bodiesOf(element)]).filter(
      (text) => text !== '',
    );
    const found = distinct(lead).flatMap((before) => bodies.map((pump) => ({ before, pump })));
    // The prefix is searched repeatedly and never found.
    found.push(...bodies.slice(0, 4).map((pump) => ({ before: '', pump })));
    // From one loop to the next and back: both read the text between them. A search is a loop around all.
    for (const loop of loops.slice(-LOOPS_MAX).concat(loops.slice(0, 1))) {
      for (const [index, text] of lead.entries()) {
        const from = loop[index] ?? '';
        if (!text.startsWith(from)) continue;
        const between = text.slice(from.length);
        for (const body of ['', ...bodies.slice(0, 3)]) found.push({ before: from, pump: between + body });
      }
    }
    const outsider = this.#words.signsOf('[^]').find((sign) => !signs.includes(sign));
    const ends = distinct([
      ...ENDS,
      ...(outsider ? [outsider] : []),
      ...(this.#isGlobal ? rest.slice(0, 1) : []),
    ]);
    const pumped = found.filter(({ pump }) => pump !== '');
    this.#byRepetition.push(ends.flatMap((after) => pumped.map((each) => ({ ...each, after }))));
  }

  /** Short texts of a repetition: each choice, and two choices in sequence. */
  #bodiesOf(element: AST.QuantifiableElement): string[] {
    const whole = this.#words.of(element);
    if (!('alternatives' in element)) return whole;
    const choices = element.alternatives
      .slice(0, CHOICES_MAX)
      .map((choice) => this.#words.of(choice)[0] ?? '');
    const few = choices.slice(0, 3);
    return [...whole, ...choices, ...few.flatMap((first) => few.map((second) => first + second))];
  }
}

/** Texts that may take a pattern a long time. */
export function attacksOn(source: string, flags: string): Attack[] {
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  return new Attacks(parser.parsePattern(source, 0, source.length, mode), flags).list();
}

/** The attack with about the given number of repeated characters. */
export const textOf = ({ before, pump, after }: Attack, chars: number): string =>
  before + pump.repeat(Math.max(1, Math.floor(chars / pump.length))) + after;
