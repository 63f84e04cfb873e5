import { createHash } from 'node:crypto';
import { encoded, hashesIn, hashIn } from './fields.ts';
import { leafHash } from './merkle.ts';

// An exported log: NDJSON, a header line and then one line for each entry. Every line has one canonical form, and others are
// rejected, so that all readers see the same.

/** Longer lines are refused; an entry has at most 32 KiB, which JSON at most doubles. */
export const LINE_BYTES_MAX = 256 * 1_024;
const FORMAT = 'redoubt-evidence-v1';

/**
 * Keys that verify credentials, as JSON Web Keys for ES256. They are not signed here: each has a `kid` that is a hash over it
 * (RFC 7638).
 */
export interface PublicKeySet {
  readonly keys: readonly Readonly<Record<string, string>>[];
}

/** The header of a page of an export. */
export interface ExportHeader {
  /** The note that was signed over the checkpoint in which the entries are proved. */
  readonly checkpoint: string;
  /** The key that signed it. */
  readonly vkey: string;
  readonly jwks: PublicKeySet;
}

/** One entry. For a deleted one, only its hash. */
export type ExportEntry = {
  readonly index: number;
  /** Of its inclusion, in the checkpoint of the header before it. */
  readonly proof: readonly Uint8Array[];
} & ({ readonly entry: string } | { readonly leafHash: Uint8Array });

/** The line of a header, with its newline. */
export const headerLine = ({ checkpoint, vkey, jwks }: ExportHeader): string =>
  `${JSON.stringify({ format: FORMAT, checkpoint, vkey, jwks })}\n`;

/** The line of an entry, with its newline. */
export function entryLine(line: ExportEntry): string {
  const { index } = line;
  const proof = line.proof.map((hash) => encoded(hash, 'base64url'));
  const fields =
    'entry' in line
      ? { index, entry: line.entry, proof }
      : { index, forgotten: true, leaf_hash: encoded(line.leafHash, 'base64url'), proof };
  return `${JSON.stringify(fields)}\n`;
}

/** The hash of a line's entry, also of a deleted one. */
export const leafOf = (line: ExportEntry): Uint8Array =>
  'entry' in line ? leafHash(Buffer.from(line.entry)) : line.leafHash;

/**
 * Reads a line without its newline.
 *
 * @returns undefined for other lines, and for a non-canonical form
 */
export function readExportLine(text: string): ExportHeader | ExportEntry | undefined {
  const fields = jsonObjectIn(text);
  if (fields === undefined) return undefined;
  if ('format' in fields) {
    const header = headerIn(fields);
    return header !== undefined && headerLine(header) === `${text}\n` ? header : undefined;
  }
  const entry = entryIn(fields);
  return entry !== undefined && entryLine(entry) === `${text}\n` ? entry : undefined;
}

/** Whether a text is an entry of a log, and not something else that was signed: a JSON object whose `v` is 1. */
export const isEntry = (text: string): boolean => text.isWellFormed() && jsonObjectIn(text)?.v === 1;

type JsonObject = Readonly<Record<string, unknown>>;

function headerIn({ checkpoint, vkey, jwks }: JsonObject): ExportHeader | undefined {
  if (typeof checkpoint !== 'string' || typeof vkey !== 'string' || !isPublicKeySet(jwks)) return undefined;
  // Half of a pair of surrogates would become another character in bytes, which are what was signed.
  return checkpoint.isWellFormed() ? { checkpoint, vkey, jwks } : undefined;
}

function entryIn(fields: JsonObject): ExportEntry | undefined {
  const { index, entry, forgotten, leaf_hash, proof: encodedProof } = fields;
  const proof = isTexts(encodedProof) ? hashesIn(encodedProof, 'base64url') : undefined;
  if (!isIndex(index) || proof === undefined) return undefined;
  if (forgotten === undefined) return typeof entry === 'string' ? { index, entry, proof } : undefined;
  const hash = typeof leaf_hash === 'string' ? hashIn(leaf_hash, 'base64url') : undefined;
  return hash === undefined ? undefined : { index, leafHash: hash, proof };
}

const isPublicKeySet = (jwks: unknown): jwks is PublicKeySet =>
  isObject(jwks) &&
  Object.keys(jwks).join() === 'keys' &&
  Array.isArray(jwks.keys) &&
  jwks.keys.every(isPublicKey);

/** A public ES256 key in its only form. */
function isPublicKey(jwk: unknown): boolean {
  if (!isObject(jwk)) return false;
  const { kty, crv, x, y, kid, alg = 'ES256', use = 'sig', ...more } = jwk;
  const isKey = kty === 'EC' && crv === 'P-256' && typeof x === 'string' && typeof y === 'string';
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  const isNamed = kid === thumbprint && alg === 'ES256' && use === 'sig';
  return isKey && isNamed && Object.keys(more).length === 0;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for what is no JSON, or something else than an object. */
function jsonObjectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
