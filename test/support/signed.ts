import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type CredentialStatement, credentialClaims } from '../../src/domain/credential/claims.ts';
import { type SigningKey, signCredential, signingKeyOf } from '../../src/domain/credential/signing.ts';

export const ISSUER = 'https://licenses.example';
export const NOW = Date.UTC(2026, 10, 22, 12);

/** A key of P-256, or undefined for another curve. */
export const keyOn = (namedCurve: string): SigningKey | undefined =>
  signingKeyOf(generateKeyPairSync('ec', { namedCurve }).privateKey);

export function newKey(): SigningKey {
  const key = keyOn('P-256');
  if (key === undefined) throw new Error('no key was made');
  return key;
}

/** The claims of a credential about a site, valid for ten days from an hour before {@link NOW} on. */
export const statement = (change: Partial<CredentialStatement> = {}): CredentialStatement => ({
  publicId: '0198c1a2-7d1f-4c9a-9a53-0d9f6a3c2b11',
  issuer: ISSUER,
  issuedAt: NOW - 3_600_000,
  expiresAt: NOW + 10 * 86_400_000,
  listId: 3,
  listIndex: 77,
  subject: {
    type: 'site_posture',
    domain: 'shop.example',
    grade: 'A',
    score: 93,
    assessedAt: NOW - 7_200_000,
    assessed: ['telemetry', 'surface'],
    vulnerabilityDataAt: null,
    leafHash: 'x'.repeat(43),
  },
  ...change,
});

export const credentialBy = (key: SigningKey, change?: Partial<CredentialStatement>): Promise<string> =>
  signCredential(credentialClaims(statement(change)), key);

const encoded = (part: string | object): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** A JWS by hand: any content, signed by this key. */
export function forged(header: string | object, payload: string | object, key: KeyObject): string {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

export const headerOf = ({ kid }: SigningKey) => ({ alg: 'ES256', typ: 'vc+jwt', cty: 'vc', kid });
