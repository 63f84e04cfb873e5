import type { SeverityVector } from '../../domain/vulnerability/record.ts';
import { Fault } from '../../lib/fault.ts';
import { isWholeText } from '../../lib/whole-text.ts';

/** An untrusted JSON object: any field may be missing, of another type, or huge. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Why one record is unusable; the message continues "the record" and contains nothing from it. */
export class RecordRefused extends Fault {}

/** Limits of one record. A larger record is refused, because using a part of it would declare affected versions safe. */
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
/** All databases use visible ASCII. */
const ID = /^[!-~]{1,128}$/;
const CWE = /^CWE-[0-9]{1,6}$/;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is an object, else an empty object. */
export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The objects of a list; empty if it is not a list. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The list; empty if missing. Throws {@link RecordRefused} for other values, because ignoring them would lose content. */
export function listIn(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new RecordRefused(`has ${what} that are not a list`);
}

/** Like `listIn`, but all items must be objects. */
export function entriesIn(value: unknown, what: string): readonly JsonObject[] {
  const list = listIn(value, what);
  if (list.every(isObject)) return list;
  throw new RecordRefused(`has ${what} that are not objects`);
}

/** The texts of a list; empty if it is not a list. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

export const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);

/** A required id. Throws {@link RecordRefused} if it is missing or malformed. */
export function idIn(value: unknown): string {
  if (typeof value === 'string' && ID.test(value)) return value;
  throw new RecordRefused('has no usable id');
}

/** Other ids, without duplicates. */
export const idsIn = (value: unknown): readonly string[] =>
  bounded([...new Set(textsIn(value).filter((id) => ID.test(id)))], RECORD_BOUNDS.names, 'other names');

export const cwesIn = (values: readonly unknown[]): readonly string[] => [
  ...new Set(textsIn(values).filter((cwe) => CWE.test(cwe))),
];

/** Returns the list; throws {@link RecordRefused} if it is longer than `most`. */
export function bounded<T>(list: readonly T[], most: number, what: string): readonly T[] {
  if (list.length > most) throw new RecordRefused(`has more than ${most} ${what}`);
  return list;
}

export function versionIn(value: unknown): string {
  if (typeof value === 'string' && value.length <= RECORD_BOUNDS.versionCharacters && isWholeText(value))
    return value.trim();
  throw new RecordRefused('has a version that is not a text of valid length');
}

/** Severity vectors with OSV's type names, without duplicates. Skips other texts, so their severity is unknown. */
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

/** The first 10 URLs with https and without credentials, normalised. */
export function referencesIn(values: readonly unknown[]): readonly string[] {
  const addresses = new Set<string>();
  for (const text of textsIn(values)) {
    if (addresses.size === REFERENCES_MAX) break;
    const url = text.length <= ADDRESS_CHARACTERS_MAX ? URL.parse(text) : null;
    if (url?.protocol === 'https:' && url.username === '' && url.password === '') addresses.add(url.href);
  }
  return [...addresses];
}
