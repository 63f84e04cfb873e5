/** Where in a request a value stands. */
export type FieldKind =
  | 'path'
  | 'query'
  | 'name'
  | 'header'
  | 'agent'
  /** What the address of the page before has behind its question mark. */
  | 'referer'
  | 'cookie'
  | 'body'
  | 'upload'
  | 'whole'
  /** A file in a binary format. */
  | 'file'
  /** A whole JSON document, whose names and values are fields of their own. */
  | 'document';

export interface Field {
  readonly kind: FieldKind;
  /** As it was sent, percent-encoding included where the kind has it. */
  readonly value: string;
  /** The name under which a body's or query's value was sent, decoded; that of a list for what is in it. */
  readonly name?: string | undefined;
  /** For a reason: kind and number, or the name of a well-known header; never what the caller chose. */
  readonly where: string;
  /** Whether it is a file of source or text that does nothing by itself. */
  readonly isHarmlessFile?: boolean;
}

const FIELDS_MAX = 400;
/** Values that may be documents of their own: what is none costs as much as one. */
const NESTED_MAX = 50;

/** The fields of one request in the order of reading; those behind the first 400 as one value. */
export class Fields {
  readonly #list: Field[] = [];
  readonly #more: string[] = [];
  readonly #counts = new Map<string, number>();
  /** The rows of a list have the same names. */
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

  /** Whether one more value may be opened. */
  openNested(): boolean {
    return this.#nestedLeft-- > 0;
  }

  get all(): readonly Field[] {
    // Apart by a sign that separates no commands.
    const value = this.#more.join('\u001e');
    const more: Field = { kind: 'whole', value, where: 'what is behind many fields' };
    return this.#more.length === 0 ? this.#list : [...this.#list, more];
  }
}
