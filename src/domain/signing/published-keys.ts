import type { KeyObject } from 'node:crypto';
import { isoOrNull } from '../../lib/clock.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { type IssuerKeyFacts, issuerKeyState, publishedUntil } from '../credential/issuer-keys.ts';
import { isObject } from '../credential/jws.ts';
import { keyOf, kidOf, publicKeyIn } from './ed25519-key.ts';
import type { P256Jwk } from './p256-jwk.ts';
import { KEY_PURPOSES, type KeyPurpose } from './purposes.ts';

/** Everything that keys of an installation sign, in the order in which they are listed. */
export const LISTED_PURPOSES = ['credential', 'evidence', ...KEY_PURPOSES] as const;
export type ListedPurpose = (typeof LISTED_PURPOSES)[number];

export const PUBLISHED_STATES = ['next', 'active', 'retired', 'revoked'] as const;

/** A public key in the members of a JWK (RFC 7517, RFC 8037). */
export type PublicJwk = { readonly use: 'sig' } & (
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | P256Jwk
);

/** A key in `/.well-known/redoubt-keys`. A revoked key lacks the members of a JWK, so that no reader of a JWKS trusts it. */
export interface PublishedKey extends Partial<Pick<PublicJwk, 'kty' | 'crv' | 'x' | 'use'>> {
  readonly y?: string;
  readonly purpose: ListedPurpose;
  readonly kid: string;
  readonly alg: 'Ed25519' | 'ES256';
  /** In base64: the 32 bytes of a key of Ed25519, or the point of one of ES256, 0x04 before its two coordinates. */
  readonly public_key: string;
  readonly state: (typeof PUBLISHED_STATES)[number];
  /** ISO 8601, when it begins to sign; null = unknown. */
  readonly not_before: string | null;
  /** ISO 8601, after which its signatures are invalid; null = not known yet. */
  readonly not_after: string | null;
}

interface KnownKey extends IssuerKeyFacts {
  readonly publicKey: string;
}

/**
 * The published keys of one purpose, in the order in which they began to sign; without those whose signatures have all expired.
 */
function publishedOf(
  purpose: ListedPurpose,
  alg: PublishedKey['alg'],
  keys: readonly KnownKey[],
  nowMs: number,
): PublishedKey[] {
  const publishedKey = (key: KnownKey): PublishedKey[] => {
    const state = issuerKeyState(key, keys, nowMs);
    if (state === 'gone') return [];
    const until = key.revokedAt ?? publishedUntil(key, keys);
    const not_after = state === 'active' || state === 'next' || until === Infinity ? null : isoOrNull(until);
    const { kid, publicKey: public_key, activeFrom } = key;
    const jwk = state === 'revoked' ? {} : publicJwk(alg, public_key);
    return [{ purpose, kid, alg, public_key, ...jwk, state, not_before: isoOrNull(activeFrom), not_after }];
  };
  return [...keys].sort((a, b) => a.activeFrom - b.activeFrom).flatMap(publishedKey);
}

/** The keys of an installation. */
export interface KeptKeys {
  readonly credential: readonly (IssuerKeyFacts & { readonly jwk: P256Jwk })[];
  /** Its private half; undefined = there is none. */
  readonly evidence: KeyObject | undefined;
  readonly signing: readonly (KnownKey & { readonly purpose: KeyPurpose })[];
}

/** All public keys. */
export const publishedKeys = ({ credential, evidence, signing }: KeptKeys, nowMs: number): PublishedKey[] => [
  ...publishedOf('credential', 'ES256', credential.map(withPoint), nowMs),
  ...(evidence ? [evidenceKey(evidence)] : []),
  ...KEY_PURPOSES.flatMap((purpose) => {
    const own = signing.filter((key) => key.purpose === purpose);
    return publishedOf(purpose, 'Ed25519', own, nowMs);
  }),
];

const withPoint = <Key extends { readonly jwk: P256Jwk }>(key: Key) => {
  const coordinates = [key.jwk.x, key.jwk.y].map((each) => Buffer.from(each, 'base64url'));
  return {
    ...key,
    publicKey: Buffer.concat([Uint8Array.of(UNCOMPRESSED), ...coordinates]).toString('base64'),
  };
};
/** Of a point (SEC 1, 2.3.3). */
const UNCOMPRESSED = 4;

/** It does not change, and its beginning is not stored. */
function evidenceKey(key: KeyObject): PublishedKey {
  const { kid, publicKey } = keyOf(key);
  const never = { not_before: null, not_after: null };
  const jwk = publicJwk('Ed25519', publicKey);
  return {
    purpose: 'evidence',
    kid,
    alg: 'Ed25519',
    public_key: publicKey,
    ...jwk,
    state: 'active',
    ...never,
  };
}

/**
 * The members of a JWK that hold a public key.
 *
 * @param publicKey in base64, as {@link PublishedKey} has it
 */
export function publicJwk(alg: PublishedKey['alg'], publicKey: string): PublicJwk {
  const bytes = Buffer.from(publicKey, 'base64');
  const half = (from: number, to?: number) => bytes.subarray(from, to).toString('base64url');
  return alg === 'ES256'
    ? { kty: 'EC', crv: 'P-256', x: half(1, 33), y: half(33), use: 'sig' }
    : { kty: 'OKP', crv: 'Ed25519', x: half(0), use: 'sig' };
}

/** A key that verifies signatures. */
export interface TrustedKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly isRevoked: boolean;
  /** Milliseconds since the Unix epoch; null = not known yet. */
  readonly notAfter: number | null;
}

/** Keys lie in a list, in an object. */
const DEPTH_MAX = 8;

/**
 * Reads the keys of a purpose from `/.well-known/redoubt-keys`. Ignores others, and keys whose name is not derived from their
 * bytes. A key that is still `next` in a list counts: the list may be older than its first signature.
 *
 * @returns undefined for another text
 */
export function readPublishedKeys(text: string, purpose: KeyPurpose): readonly TrustedKey[] | undefined {
  const list = parseStrictJson(text, DEPTH_MAX);
  if (!isObject(list) || !Array.isArray(list.keys)) return undefined;
  return list.keys.filter(isObject).flatMap((key) => trustedOf(key, purpose));
}

function trustedOf(key: Readonly<Record<string, unknown>>, purpose: KeyPurpose): TrustedKey[] {
  const { kid, alg, public_key, state, not_after } = key;
  if (key.purpose !== purpose || alg !== 'Ed25519' || typeof public_key !== 'string') return [];
  const publicKey = publicKeyIn(public_key);
  const isNamed = kidOf(Buffer.from(public_key, 'base64')) === kid;
  const notAfter = typeof not_after === 'string' ? Date.parse(not_after) : null;
  const isKnown = PUBLISHED_STATES.some((known) => known === state) && !Number.isNaN(notAfter);
  if (publicKey === undefined || !isNamed || !isKnown) return [];
  return [{ kid: String(kid), publicKey, isRevoked: state === 'revoked', notAfter }];
}
