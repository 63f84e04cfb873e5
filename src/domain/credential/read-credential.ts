import { iso, SECOND_MS } from '../../lib/clock.ts';
import { isWritable } from '../../lib/timestamp.ts';
import { CREDENTIALS_CONTEXT, type StatusClaim, TYPE_NAMES } from './claims.ts';
import { CREDENTIAL_TYPES, type CredentialType } from './credential.ts';
import { isObject, type ReadJws, readJws } from './jws.ts';
import { CREDENTIAL_TYP } from './signing.ts';

/** The content of a credential. Do not trust it before checking its signature. */
export interface ReadCredential {
  readonly jws: ReadJws;
  readonly kid: string;
  /** `urn:uuid:` and its public id. */
  readonly id: string;
  readonly type: CredentialType;
  readonly issuer: string;
  readonly subject: string;
  /** Milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly place: StatusClaim['status_list'];
}

/** Ours have 1.5 KB. */
const CHARACTERS_MAX = 16 * 1_024;
const ID = /^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Reads a credential in this service's format. Values repeated for readers of JWTs and of credentials must agree.
 *
 * @returns undefined for an invalid one, with any signer
 */
export function readCredential(token: string): ReadCredential | undefined {
  const jws = readJws(token, CHARACTERS_MAX);
  if (jws === undefined) return undefined;
  const kid = kidIn(jws, CREDENTIAL_TYP);
  const { jti, iss, iat, exp, sub } = jws.payload;
  const type = typeIn(jws.payload);
  const place = placeIn(jws.payload);
  if (kid === undefined || type === undefined || place === undefined) return undefined;
  if (typeof jti !== 'string' || typeof iss !== 'string' || typeof sub !== 'string') return undefined;
  if (!isMoment(iat) || !isMoment(exp)) return undefined;
  const { id, issuer, validFrom, validUntil, credentialSubject } = jws.payload;
  const agrees =
    ID.test(jti) &&
    id === jti &&
    issuer === iss &&
    validFrom === iso(iat * SECOND_MS) &&
    validUntil === iso(exp * SECOND_MS) &&
    isObject(credentialSubject) &&
    credentialSubject.id === sub;
  if (!agrees) return undefined;
  const [issuedAt, expiresAt] = [iat * SECOND_MS, exp * SECOND_MS];
  return { jws, kid, id: jti, type, issuer: iss, subject: sub, issuedAt, expiresAt, place };
}

/**
 * The key that a JWT names, if it is of a type and signed like ours. Ours have no critical extensions (`crit`). `jwk`, `jku`,
 * `x5c` and `x5u` are ignored: a signer must not choose the key that verifies him.
 */
export function kidIn({ header }: ReadJws, typ: string): string | undefined {
  const { alg, kid, cty = 'vc' } = header;
  const isOurs = alg === 'ES256' && header.typ === typ && cty === 'vc' && !('crit' in header);
  return isOurs && typeof kid === 'string' ? kid : undefined;
}

/** Whether it is a claim of a JWT that tells a moment, in whole seconds since the Unix epoch. */
export const isMoment = (claim: unknown): claim is number =>
  Number.isInteger(claim) && isWritable((claim as number) * SECOND_MS);

function typeIn({ '@context': context, type }: ReadJws['payload']): CredentialType | undefined {
  if (!Array.isArray(context) || context[0] !== CREDENTIALS_CONTEXT) return undefined;
  if (!Array.isArray(type) || type.length !== 2 || type[0] !== 'VerifiableCredential') return undefined;
  return CREDENTIAL_TYPES.find((each) => TYPE_NAMES[each] === type[1]);
}

function placeIn({ status }: ReadJws['payload']): ReadCredential['place'] | undefined {
  const list = isObject(status) ? status.status_list : undefined;
  if (!isObject(list)) return undefined;
  const { idx, uri } = list;
  const isPlace = typeof idx === 'number' && Number.isSafeInteger(idx) && idx >= 0;
  return isPlace && typeof uri === 'string' ? { idx, uri } : undefined;
}
