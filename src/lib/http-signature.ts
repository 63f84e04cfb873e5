import { hash, type KeyObject, sign } from 'node:crypto';

// Signed responses: RFC 9421 (HTTP Message Signatures) with Content-Digest (RFC 9530), only Ed25519.

/** A requested signature. */
export interface WantedSignature {
  /** Identifies the signature in the response. */
  readonly label: string;
  /** Chosen by the caller, so that an earlier response cannot be replayed. */
  readonly nonce: string;
}

/** A signed component: its identifier as in RFC 9421, and its value. */
export type Component = readonly [identifier: string, value: string];

export interface SignatureParameters {
  /** Seconds since the Unix epoch. */
  readonly created: number;
  readonly nonce?: string;
  readonly keyid: string;
  readonly alg?: 'ed25519';
}

/** Longer headers are ignored; those of our clients have fewer than 200 characters. */
const WANTED_CHARACTERS_MAX = 1_024;
const WANTED =
  /^([a-z*][a-z0-9_.*-]{0,63})=\([^(),]*\)((?: *; *[a-z*][a-z0-9_.*-]*(?:="[^"\\,]*"|=[\w?.-]+)?)*)$/;
const PARAMETER = /; *([a-z*][a-z0-9_.*-]*)(?:="([^"\\,]*)"|=[\w?.-]+)?/g;
const NONCE = /^[A-Za-z0-9+/=_.~:-]{1,128}$/;
/** Requests with other parameters cannot be fulfilled. */
const KNOWN_PARAMETERS = ['created', 'nonce', 'keyid', 'alg'];

/**
 * Reads an `Accept-Signature` header (RFC 9421, 5.1) that requests one signature with a nonce. The requested components are
 * ignored, because verifiers must check the covered components anyway.
 *
 * @returns undefined if it requests anything else or is malformed
 */
export function wantedSignature(header: string): WantedSignature | undefined {
  if (header.length > WANTED_CHARACTERS_MAX) return undefined;
  const [, label, text = ''] = WANTED.exec(header.trim()) ?? [];
  const named = [...text.matchAll(PARAMETER)].map(([, name = '', string = '']) => [name, string] as const);
  const parameters = new Map(named);
  const [nonce = '', alg = 'ed25519'] = [parameters.get('nonce'), parameters.get('alg')];
  const isKnown =
    parameters.size === named.length && named.every(([name]) => KNOWN_PARAMETERS.includes(name));
  if (label === undefined || !isKnown || alg !== 'ed25519' || !NONCE.test(nonce)) return undefined;
  return { label, nonce };
}

/** The value of a `Content-Digest` header (RFC 9530, 2). */
export const contentDigest = (body: Uint8Array): string => `sha-256=:${hash('sha256', body, 'base64')}:`;

/**
 * Signs components (RFC 9421, 2.5 and 3.1).
 *
 * @param privateKey an Ed25519 key
 * @returns the values of `Signature-Input` and `Signature`
 */
export function signComponents(
  label: string,
  components: readonly Component[],
  { created, nonce, keyid, alg }: SignatureParameters,
  privateKey: KeyObject,
): { readonly input: string; readonly signature: string } {
  const covered = components.map(([identifier]) => identifier).join(' ');
  const parameters = [
    `created=${created}`,
    ...(nonce === undefined ? [] : [`nonce="${nonce}"`]),
    `keyid="${keyid}"`,
    ...(alg === undefined ? [] : [`alg="${alg}"`]),
  ];
  const input = `(${covered});${parameters.join(';')}`;
  const base = [...components, ['"@signature-params"', input]].map(([name, value]) => `${name}: ${value}`);
  const signature = sign(null, Buffer.from(base.join('\n')), privateKey).toString('base64');
  return { input: `${label}=${input}`, signature: `${label}=:${signature}:` };
}
