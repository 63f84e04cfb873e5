import { compactVerify } from 'jose';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { P256Jwk } from '../signing/p256-jwk.ts';

/** The parts of a JWS in compact form (RFC 7515). Do not trust them before checking its signature. */
export interface ReadJws {
  readonly token: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** r ‖ s, as RFC 7518 has it: not the DER of other formats. */
const SIGNATURE_BYTES = 64;
/** Ours have four. */
const DEPTH_MAX = 8;

/**
 * Parses a JWS strictly: base64url without padding or spare bits, UTF-8, JSON objects without duplicate names, 64 bytes of
 * signature. Every changed character changes its meaning or makes it invalid.
 *
 * @param charactersMax longer ones are invalid
 * @returns undefined for an invalid one
 */
export function readJws(token: string, charactersMax: number): ReadJws | undefined {
  if (token.length > charactersMax) return undefined;
  const [head, body, signature, ...more] = token.split('.').map(bytesOf);
  if (more.length > 0 || signature?.length !== SIGNATURE_BYTES) return undefined;
  const header = objectIn(head);
  const payload = objectIn(body);
  return header && payload && { token, header, payload };
}

/** Whether a key has signed it, with ES256. Keys in its header are ignored. */
export async function isSignedBy(jwk: P256Jwk, { token }: ReadJws): Promise<boolean> {
  try {
    await compactVerify(token, { ...jwk }, { algorithms: ['ES256'] });
    return true;
  } catch {
    return false;
  }
}

/** Undefined for non-canonical text. */
function bytesOf(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

function objectIn(bytes: Buffer | undefined): Readonly<Record<string, unknown>> | undefined {
  const text = bytes && textOf(bytes);
  const value = text === undefined ? undefined : parseStrictJson(text, DEPTH_MAX);
  return isObject(value) ? value : undefined;
}

/** Whether a value of JSON is an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for invalid UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark is not valid JSON.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
