import { compactVerify } from 'jose';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { P256Jwk } from '../signing/p256-jwk.ts';

/** A JWS in its compact form (RFC 7515), taken apart. Nothing of it is true before its signature was checked. */
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
 * Takes a JWS apart that can be read in one way only: base64url without padding or spare bits, UTF-8, JSON objects without a name
 * twice, 64 bytes of signature. Whoever changes a character of it changes what it says, or makes it unreadable.
 *
 * @param charactersMax longer ones are not looked at
 * @returns undefined for what is none
 */
export function readJws(token: string, charactersMax: number): ReadJws | undefined {
  if (token.length > charactersMax) return undefined;
  const [head, body, signature, ...more] = token.split('.').map(bytesOf);
  if (more.length > 0 || signature?.length !== SIGNATURE_BYTES) return undefined;
  const header = objectIn(head);
  const payload = objectIn(body);
  return header && payload && { token, header, payload };
}

/** Whether a key has signed it, with ES256: whatever its header names or carries for a key is not looked at. */
export async function isSignedBy(jwk: P256Jwk, { token }: ReadJws): Promise<boolean> {
  try {
    await compactVerify(token, { ...jwk }, { algorithms: ['ES256'] });
    return true;
  } catch {
    return false;
  }
}

/** Undefined for what would not be written so. */
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

/** Undefined for what is no UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    // A mark of byte order is no JSON.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
