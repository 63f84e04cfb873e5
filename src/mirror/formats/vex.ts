import { JUSTIFICATIONS, type Justification, type VexStatus } from '../../domain/vulnerability/vex.ts';
import type { VexFact } from '../facts.ts';
import { RecordRefused, textOr } from './fields.ts';
import { plainTitle } from './plain-text.ts';
import { componentOfPurl, type PurlComponent } from './purl.ts';

/** Limits of one document. */
const STATEMENTS_MAX = 50_000;
const GROUPED_MAX = 1_000_000;
const NAMES_MAX = 10;
/** Document names are URLs or ids assigned by publishers. */
const DOCUMENT = /^[!-~](?:[ -~]{0,510}[!-~])?$/;
const NAME = /^[!-~]{1,128}$/;

/** Collects the statements of a VEX document. */
export class VexDocument {
  readonly facts: VexFact[] = [];
  readonly #id: string;
  readonly #revisedAt: number;
  #grouped = 0;
  /** Cache, because documents repeat their products. */
  readonly #components = new Map<string, PurlComponent | undefined>();

  constructor(id: unknown, revisedAt: number) {
    if (typeof id !== 'string' || !DOCUMENT.test(id)) throw new RecordRefused('has no usable document id');
    this.#id = id;
    this.#revisedAt = revisedAt;
  }

  /**
   * Adds the statement about a product; ignores other ecosystems. A statement `not_affected` counts only if it is about a whole
   * component in known versions; all others always count.
   */
  state(stated: Stated): void {
    const { names, purl, version, status } = stated;
    const component = this.#component(purl);
    if (component === undefined) return;
    const { ecosystem, name, isPart } = component;
    const inVersion = component.version ?? version ?? null;
    const isNotAffected = status === 'not_affected';
    // Without a release, the version numbers of a distribution are ambiguous.
    const isVague = inVersion === null && /^(?:debian|ubuntu)$/.test(ecosystem);
    if (isNotAffected && (isPart || isVague || (inVersion === null && version === undefined))) return;
    for (const cve of names) {
      if (this.facts.length === STATEMENTS_MAX)
        throw new RecordRefused(`has more than ${STATEMENTS_MAX} statements`);
      this.facts.push({
        kind: 'vex',
        document: this.#id,
        revisedAt: this.#revisedAt,
        statedAt: stated.statedAt,
        cve,
        ecosystem,
        name,
        version: inVersion,
        status,
        justification: isNotAffected ? stated.justification : null,
        impact: isNotAffected ? stated.impact : '',
      });
    }
  }

  /**
   * Limits the products read from groups, because a document can reference a large group many times.
   *
   * @throws RecordRefused
   */
  countGrouped(products: number): void {
    this.#grouped += products;
    if (this.#grouped > GROUPED_MAX) throw new RecordRefused('names its product groups too often');
  }

  #component(purl: string): PurlComponent | undefined {
    if (this.#components.has(purl)) return this.#components.get(purl);
    const component = componentOfPurl(purl);
    this.#components.set(purl, component);
    return component;
  }
}

/** A document's statement about one product. */
interface Stated {
  readonly names: readonly string[];
  readonly purl: string;
  /** Version of the product if its package URL has none; null = all, undefined = unknown. */
  readonly version: string | null | undefined;
  readonly status: VexStatus;
  readonly justification: Justification | null;
  readonly impact: string;
  readonly statedAt: number;
}

/** The usable names of a vulnerability, without duplicates. Throws {@link RecordRefused} if there are none. */
export function namesIn(values: readonly unknown[]): readonly string[] {
  const names = values.filter((value) => typeof value === 'string' && NAME.test(value)) as string[];
  if (names.length === 0) throw new RecordRefused('has a statement without the id of a vulnerability');
  return [...new Set(names)].slice(0, NAMES_MAX);
}

/** A justification; null if missing. Throws {@link RecordRefused} for an unknown one. */
export function justificationIn(value: unknown): Justification | null {
  if (value === undefined || value === null || value === '') return null;
  const known = JUSTIFICATIONS.find((label) => label === value);
  if (known === undefined) throw new RecordRefused('has an unknown justification');
  return known;
}

/** Why a product is not affected. Throws {@link RecordRefused} if there is neither a justification nor a text. */
export function explained(justification: Justification | null, impact: unknown) {
  const text = plainTitle(textOr(impact, ''));
  if (justification === null && text === '')
    throw new RecordRefused('calls a product not affected without a justification');
  return { justification, impact: text };
}

/** The package URLs among the identifiers of a product. */
export const purlsIn = (...values: readonly unknown[]): readonly string[] =>
  [...new Set(values.filter((value) => typeof value === 'string' && value.startsWith('pkg:')))] as string[];
