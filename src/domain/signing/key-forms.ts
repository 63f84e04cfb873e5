import { Fault } from '../../lib/fault.ts';
import { minisignKeyText } from '../../lib/minisign.ts';
import { verifierOf } from '../../lib/signed-note.ts';
import type { PublishedKey } from './published-keys.ts';
import type { KeyForm } from './purposes.ts';

/**
 * A public key as a verifier takes it.
 *
 * @returns a JWK (RFC 7517, RFC 8037), a verifier key of a signed note with the name `redoubt/<purpose>`, or a key file of minisign,
 * whose id is the `kid`
 * @throws Fault for a key of ES256, which only a JWK can tell
 */
export function keyInForm({ purpose, kid, alg, public_key }: PublishedKey, form: KeyForm): string {
  const bytes = Buffer.from(public_key, 'base64');
  if (alg === 'ES256') {
    if (form !== 'jwk') throw new Fault(`an ES256 key has no ${form} form. Omit --form`);
    const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((half) => half.toString('base64url'));
    return JSON.stringify({ kty: 'EC', crv: 'P-256', x, y, kid, alg, use: 'sig' });
  }
  if (form === 'vkey') return verifierOf(`redoubt/${purpose}`, bytes).vkey;
  if (form === 'minisign')
    return minisignKeyText(Buffer.from(kid, 'hex'), bytes, `redoubt ${purpose} ${kid}`);
  const x = bytes.toString('base64url');
  return JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' });
}
