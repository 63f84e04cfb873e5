import { credentialVerdict, isCredential, mayNameCredential } from './credential-keys.ts';
import { findPlaces, type PlaceRule } from './place.ts';
import { otherReadings } from './readings.ts';

const KEY_RULE = 'key.credential';
const KEY_CHARACTERS_MAX = 128;

/** What stands in place of a value; at most 64 characters. */
export const redacted = (rule: string): string => `[redacted: ${rule}]`;

/** Takes what some rules find out of texts and JSON values, and counts in how many values it did. */
export class Redaction {
  #values = 0;
  /** Those that may find something. */
  readonly rules: readonly PlaceRule[];

  /**
   * @param rules all that there are
   * @param sample everything that will be looked at, or more: rules that find nothing there are left out
   */
  constructor(rules: readonly PlaceRule[], sample: string) {
    const others = otherReadings(sample);
    const all = others === '' ? sample : `${sample}\n${others}`;
    const small = all.toLowerCase();
    this.rules = rules.filter((rule) => rule.mayBeIn(all, small));
    this.isNeeded = this.rules.length > 0 || mayNameCredential(small);
  }

  /** False when there is nothing to find. */
  readonly isNeeded: boolean;

  /** Values that were changed so far. */
  get values(): number {
    return this.#values;
  }

  /**
   * The text with a mark in each place where a rule found something. When that would be longer than it may be, or a
   * rule finds something only in another reading of the text, the mark alone.
   */
  text(text: string, charactersMax: number): string {
    if (this.rules.length === 0) return text;
    const found = findPlaces(this.rules, text);
    const kept: string[] = [];
    let shown = '';
    let at = 0;
    for (const { start, end, id } of found) {
      kept.push(text.slice(at, start));
      shown += text.slice(at, start) + redacted(id);
      at = end;
    }
    kept.push(text.slice(at));
    shown += text.slice(at);

    const [hidden] = findPlaces(this.rules, otherReadings(kept.join('\n')));
    const [first = hidden] = found;
    if (first === undefined) return text;
    this.#values++;
    return hidden || shown.length > charactersMax ? redacted(first.id) : shown;
  }

  /** A value of JSON; below a key that names a credential, the mark alone. */
  value(value: unknown, charactersMax: number): unknown {
    if (typeof value === 'string') return this.text(value, charactersMax);
    if (Array.isArray(value)) return value.map((each) => this.value(each, charactersMax));
    return typeof value === 'object' && value !== null ? this.fields(value, charactersMax) : value;
  }

  /** The fields of an object. Keys can hold something themselves. */
  fields(fields: object, charactersMax: number): Record<string, unknown> {
    return Object.fromEntries(
      this.entries(Object.entries(fields), new Set(Object.keys(fields)), charactersMax),
    );
  }

  /**
   * Some of the fields of an object.
   *
   * @param taken the names of all of its fields, also of those that were looked at before
   */
  entries(
    entries: readonly (readonly [string, unknown])[],
    taken: Set<string>,
    charactersMax: number,
  ): [string, unknown][] {
    return entries.map(([key, value]) => {
      const shown = this.text(key, KEY_CHARACTERS_MAX);
      const name = shown === key ? key : freeName(shown, taken);
      if (!isCredential(key, value, credentialVerdict(key))) return [name, this.value(value, charactersMax)];
      this.#values++;
      return [name, redacted(KEY_RULE)];
    });
  }
}

/** A name that no other field has: several keys may have held the same. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} ${count}`;
  taken.add(free);
  return free;
}
