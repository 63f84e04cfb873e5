import { credentialVerdict, isCredential, mayNameCredential } from './credential-keys.ts';
import { findPlaces, type PlaceRule } from './place.ts';
import { otherReadings } from './readings.ts';

const KEY_RULE = 'key.credential';
const KEY_CHARACTERS_MAX = 128;

/** The replacement of a value; at most 64 characters. */
export const redacted = (rule: string): string => `[redacted: ${rule}]`;

/** Redacts the findings of some rules in texts and JSON values, and counts the changed values. */
export class Redaction {
  #values = 0;
  /** Those that may find something. */
  readonly rules: readonly PlaceRule[];

  /**
   * @param rules all that there are
   *
   * @param sample at least everything to redact: rules without a finding there are skipped
   */
  constructor(rules: readonly PlaceRule[], sample: string) {
    const others = otherReadings(sample);
    const all = others === '' ? sample : `${sample}\n${others}`;
    const small = all.toLowerCase();
    this.rules = rules.filter((rule) => rule.mayBeIn(all, small));
    this.isNeeded = this.rules.length > 0 || mayNameCredential(small);
  }

  /** False when nothing needs redaction. */
  readonly isNeeded: boolean;

  /** Values that were changed so far. */
  get values(): number {
    return this.#values;
  }

  /**
   * The text with a mark in place of each finding. Only the mark when the result would be too long, or a rule finds something
   * only in another reading of the text.
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

  /** A JSON value; only the mark below a key that names a credential. */
  value(value: unknown, charactersMax: number): unknown {
    if (typeof value === 'string') return this.text(value, charactersMax);
    if (Array.isArray(value)) return value.map((each) => this.value(each, charactersMax));
    return typeof value === 'object' && value !== null ? this.fields(value, charactersMax) : value;
  }

  /** The fields of an object. Keys can contain findings too. */
  fields(fields: object, charactersMax: number): Record<string, unknown> {
    return Object.fromEntries(
      this.entries(Object.entries(fields), new Set(Object.keys(fields)), charactersMax),
    );
  }

  /**
   * Some of the fields of an object.
   *
   * @param taken the names of all its fields, including those handled earlier
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

/** A unique name: redaction may have made several keys equal. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} ${count}`;
  taken.add(free);
  return free;
}
