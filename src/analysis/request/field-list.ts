/** The place of a value in a request. */
export type FieldKind =
  | 'path'
  | 'query'
  | 'name'
  | 'header'
  | 'agent'
  /** The query of the Referer header. */
  | 'referer'
  | 'cookie'
  | 'body'
  | 'upload'
  | 'whole'
  /** A binary file. */
  | 'file'
  /** A whole JSON document; its names and values are separate fields too. */
  | 'document';

export interface Field {
  readonly kind: FieldKind;
  /** The value as sent, percent-encoded where the kind uses that. */
  readonly value: string;
  /** Decoded name of a body or query value; for items of a list, the name of the list. */
  readonly name?: string | undefined;
  /** Place for a reason: kind and number, or the name of a well-known header; never text from the caller. */
  readonly where: string;
  /** Whether it is a file of source or text without malicious effects. */
  readonly isHarmlessFile?: boolean;
}

const FIELDS_MAX = 400;
/** Limits the values that may be nested documents, because testing a value costs as much as parsing one. */
const NESTED_MAX = 50;

/** The fields of one request in order; those after the first 400 are combined to one value. */
export class Fields {
  readonly #list: Field[] = [];
  readonly #more: string[] = [];
  readonly #counts = new Map<string, number>();
  /** Names seen, because rows of a list repeat them. */
  readonly #names = new Set<string>();
  readonly #max: number;
  #nestedLeft = NESTED_MAX;

  constructor(max: number) {
    this.#max = Math.min(max, FIELDS_MAX);
  }

  add(kind: FieldKind, value: string, label: string, name?: string, isHarmlessFile = false): void {
    if (value === '' || (kind === 'name' && this.#names.has(value))) return;
    if (kind === 'name') this.#names.add(value);
    if (this.#list.length >= this.#max) {
      this.#more.push(value);
      return;
    }
    const count = (this.#counts.get(label) ?? 0) + 1;
    this.#counts.set(label, count);
    const isNumbered =
      label.endsWith('field') ||
      label.endsWith('parameter') ||
      label.endsWith('cookie') ||
      label.endsWith('part');
    this.#list.push({ kind, value, name, where: isNumbered ? `${label} ${count}` : label, isHarmlessFile });
  }

  /** Whether another value may be tested for a nested document. */
  openNested(): boolean {
    return this.#nestedLeft-- > 0;
  }

  get all(): readonly Field[] {
    // Joined with a character that does not separate commands.
    const value = this.#more.join('\u001e');
    const more: Field = { kind: 'whole', value, where: 'the remaining fields' };
    return this.#more.length === 0 ? this.#list : [...this.#list, more];
  }
}
