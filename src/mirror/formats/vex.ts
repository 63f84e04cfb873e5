import { JUSTIFICATIONS, type Justification, type VexStatus } from '../../domain/vulnerability/vex.ts';
import type { VexFact } from '../facts.ts';
import { RecordRefused, textOr } from './fields.ts';
import { plainTitle } from './plain-text.ts';
import { componentOfPurl, type PurlComponent } from './purl.ts';

/** What one document may state at most. */
const STATEMENTS_MAX = 50_000;
const GROUPED_MAX = 1_000_000;
const NAMES_MAX = 10;
/** Names of documents are addresses, or ids of their publishers. */
const DOCUMENT = /^[!-~](?:[ -~]{0,510}[!-~])?$/;
const NAME = /^[!-~]{1,128}$/;

/** A document of VEX, whose statements are collected. */
export class VexDocument {
  readonly facts: VexFact[] = [];
  readonly #id: string;
  readonly #revisedAt: number;
  #grouped = 0;
  /** Products of one document are stated of again and again. */
  readonly #components = new Map<string, PurlComponent | undefined>();

  constructor(id: unknown, revisedAt: number) {
    if (typeof id !== 'string' || !DOCUMENT.test(id)) throw new RecordRefused('has no usable document id');
    this.#id = id;
    this.#revisedAt = revisedAt;
  }

  /**
   * Adds the statement about a product. One that declares it not affected must be about a whole component in known versions;
   * others always count. Ignores other ecosystems.
   */
  state(stated: Stated): void {
    const { names, purl, version, status } = stated;
    const component = this.#component(purl);
    if (component === undefined) return;
    const { ecosystem, name, isPart } = component;
    const inVersion = component.version ?? version ?? null;
    const isLowering = status === 'not_affected';
    // A distribution without release has other versions in each of them.
    const isVague = inVersion === null && /^(?:debian|ubuntu)$/.test(ecosystem);
    if (isLowering && (isPart || isVague || (inVersion === null && version === undefined))) return;
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
        justification: isLowering ? stated.justification : null,
        impact: isLowering ? stated.impact : '',
      });
    }
  }

  /**
   * Counts products of groups: a document can name a large group again and again.
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

/** What a document states of one product. */
interface Stated {
  /** The names of the vulnerability. */
  readonly names: readonly string[];
  readonly purl: string;
  /** That of the product where its package URL has none; null = all, undefined = it cannot be told. */
  readonly version: string | null | undefined;
  readonly status: VexStatus;
  readonly justification: Justification | null;
  readonly impact: string;
  readonly statedAt: number;
}

/** The usable names of a vulnerability, each once. */
export function namesIn(values: readonly unknown[]): readonly string[] {
  const names = values.filter((value) => typeof value === 'string' && NAME.test(value)) as string[];
  if (names.length === 0) throw new RecordRefused('has a statement without the id of a vulnerability');
  return [...new Set(names)].slice(0, NAMES_MAX);
}

/** A justification; null for none. Throws {@link RecordRefused} for an unknown one. */
export function justificationIn(value: unknown): Justification | null {
  if (value === undefined || value === null || value === '') return null;
  const known = JUSTIFICATIONS.find((label) => label === value);
  if (known === undefined) throw new RecordRefused('has an unknown justification');
  return known;
}

/** What explains that a product is not affected. Throws {@link RecordRefused} when nothing does. */
export function explained(justification: Justification | null, impact: unknown) {
  const text = plainTitle(textOr(impact, ''));
  if (justification === null && text === '')
    throw new RecordRefused('calls a product not affected without a justification');
  return { justification, impact: text };
}

/** The package URLs that a product is identified by. */
export const purlsIn = (...values: readonly unknown[]): readonly string[] =>
  [...new Set(values.filter((value) => typeof value === 'string' && value.startsWith('pkg:')))] as string[];
