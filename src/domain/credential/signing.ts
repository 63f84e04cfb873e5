import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { CompactSign } from 'jose';
import { jwkThumbprint } from '../../lib/jwk-thumbprint.ts';
import type { P256Jwk } from '../signing/p256-jwk.ts';
import type { CredentialClaims } from './claims.ts';

/** A key that can sign credentials and lists of what was revoked. It signs nothing else. */
export interface SigningKey {
  /** See {@link kidOf}. */
  readonly kid: string;
  readonly jwk: P256Jwk;
  readonly privateKey: KeyObject;
}

/** The media types (RFC 7515, `typ`) of what is signed, so that neither can be taken for the other. */
export const CREDENTIAL_TYP = 'vc+jwt';
export const STATUS_LIST_TYP = 'statuslist+jwt';

/** The name of a key: its thumbprint by RFC 7638, so that nobody has to agree on names. */
export const kidOf = ({ kty, crv, x, y }: P256Jwk): string => jwkThumbprint({ kty, crv, x, y });

const encoder = new TextEncoder();
const PEM = /^-----BEGIN PRIVATE KEY-----\r?\n[^-]+-----END PRIVATE KEY-----$/m;

/**
 * Reads a private key from a PEM file (PKCS#8), which may hold other lines beside it.
 *
 * @returns undefined for what is none, or is one of another kind than P-256
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

/** Signs a credential as VC-JOSE-COSE has it: a JWT that any library for JWTs can check. Signed again it has another signature. */
export const signCredential = (claims: CredentialClaims, { kid, privateKey }: SigningKey): Promise<string> =>
  // Not SignJWT, which spends as long on a copy of the claims as on the signature.
  new CompactSign(encoder.encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'ES256', typ: CREDENTIAL_TYP, cty: 'vc', kid })
    .sign(privateKey);
