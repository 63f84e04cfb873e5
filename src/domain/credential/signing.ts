import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { CompactSign } from 'jose';
import { jwkThumbprint } from '../../lib/jwk-thumbprint.ts';
import type { P256Jwk } from '../signing/p256-jwk.ts';
import type { CredentialClaims } from './claims.ts';

/** A key that signs credentials and status lists, and nothing else. */
export interface SigningKey {
  /** See {@link kidOf}. */
  readonly kid: string;
  readonly jwk: P256Jwk;
  readonly privateKey: KeyObject;
}

/** The media types (RFC 7515, `typ`) of what is signed, so that neither can be taken for the other. */
export const CREDENTIAL_TYP = 'vc+jwt';
export const STATUS_LIST_TYP = 'statuslist+jwt';

/** The name of a key: its thumbprint by RFC 7638, which needs no agreement on names. */
export const kidOf = ({ kty, crv, x, y }: P256Jwk): string => jwkThumbprint({ kty, crv, x, y });

const encoder = new TextEncoder();
const PEM = /^-----BEGIN PRIVATE KEY-----\r?\n[^-]+-----END PRIVATE KEY-----$/m;

/**
 * Reads a private key from a PEM file (PKCS#8), which may hold other lines beside it.
 *
 * @returns undefined for other content, and for other keys than P-256
 */
export function parseSigningKey(pem: string): SigningKey | undefined {
  try {
    const privateKey = createPrivateKey(PEM.exec(pem)?.[0] ?? '');
    return signingKeyOf(privateKey);
  } catch {
    return undefined;
  }
}

/** Undefined for a key of another kind than P-256. */
export function signingKeyOf(privateKey: KeyObject): SigningKey | undefined {
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined) return undefined;
  const jwk: P256Jwk = { kty, crv, x, y };
  return { kid: kidOf(jwk), jwk, privateKey };
}

/** Signs a credential by VC-JOSE-COSE: a JWT that any JWT library can verify. Each signature differs. */
export const signCredential = (claims: CredentialClaims, { kid, privateKey }: SigningKey): Promise<string> =>
  // Not SignJWT, which spends as long on a copy of the claims as on the signature.
  new CompactSign(encoder.encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'ES256', typ: CREDENTIAL_TYP, cty: 'vc', kid })
    .sign(privateKey);
