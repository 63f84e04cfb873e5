import type { SeverityVector } from '../../domain/vulnerability/record.ts';
import { Fault } from '../../lib/fault.ts';
import { isWholeText } from '../../lib/whole-text.ts';

/** A JSON object of a stranger: any field may be missing, of another type, or huge. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Why one record cannot be used: our own words, which read on after "the record". */
export class RecordRefused extends Fault {}

/** Limits of one record; a larger one is refused, because using a part of it would declare affected versions safe. */
export const RECORD_BOUNDS = {
  affected: 5_000,
  versions: 20_000,
  ranges: 2_000,
  names: 2_000,
  versionCharacters: 128,
} as const;

const SEVERITIES_MAX = 8;
const VECTOR_CHARACTERS_MAX = 256;
const REFERENCES_MAX = 10;
const ADDRESS_CHARACTERS_MAX = 2_048;
/** Ids of all databases are of visible ASCII. */
const ID = /^[!-~]{1,128}$/;
const CWE = /^CWE-[0-9]{1,6}$/;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object; an empty one for what is none. */
export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The objects of a list; none for what is no list. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** A list; empty when it is missing. Any other value refuses the record, because its content would be lost silently. */
export function listIn(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new RecordRefused(`has ${what} that are not a list`);
}

/** The same of objects alone. */
export function entriesIn(value: unknown, what: string): readonly JsonObject[] {
  const list = listIn(value, what);
  if (list.every(isObject)) return list;
  throw new RecordRefused(`has ${what} that are not objects`);
}

/** The texts of a list; none for what is no list. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

export const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);

/** A required id. */
export function idIn(value: unknown): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new RecordRefused('has no usable id');
}

/** Other ids, each once. */
export const idsIn = (value: unknown): readonly string[] =>
  bounded([...new Set(textsIn(value).filter((id) => ID.test(id)))], RECORD_BOUNDS.names, 'other names');

export const cwesIn = (values: readonly unknown[]): readonly string[] => [
  ...new Set(textsIn(values).filter((cwe) => CWE.test(cwe))),
];

/** The list itself, unless it is longer than a record may have it. */
export function bounded<T>(list: readonly T[], most: number, what: string): readonly T[] {
  if (list.length > most) throw new RecordRefused(`has more than ${most} ${what}`);
  return list;
}

export function versionIn(value: unknown): string {
  if (typeof value === 'string' && value.length <= RECORD_BOUNDS.versionCharacters && isWholeText(value))
    return value.trim();
  throw new RecordRefused('has a version that is not a text of valid length');
}

/** Vectors as OSV names their types, each once. What is no vector is left out: its severity is unknown. */
export function vectorsIn(values: readonly unknown[]): readonly SeverityVector[] {
  const vectors = new Map<string, SeverityVector>();
  for (const score of textsIn(values)) {
    const type = vectorType(score);
    if (type !== undefined && score.length <= VECTOR_CHARACTERS_MAX) vectors.set(score, { type, score });
  }
  return [...vectors.values()].slice(0, SEVERITIES_MAX);
}

function vectorType(vector: string): string | undefined {
  if (vector.startsWith('CVSS:4.0/')) return 'CVSS_V4';
  if (vector.startsWith('CVSS:3.1/') || vector.startsWith('CVSS:3.0/')) return 'CVSS_V3';
  return vector.startsWith('AV:') ? 'CVSS_V2' : undefined;
}

/** The first 10 addresses with https and without credentials, as a browser would write them. */
export function referencesIn(values: readonly unknown[]): readonly string[] {
  const addresses = new Set<string>();
  for (const text of textsIn(values)) {
    if (addresses.size === REFERENCES_MAX) break;
    const url = text.length <= ADDRESS_CHARACTERS_MAX ? URL.parse(text) : null;
    if (url?.protocol === 'https:' && url.username === '' && url.password === '') addresses.add(url.href);
  }
  return [...addresses];
}
