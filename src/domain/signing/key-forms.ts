import { Fault } from '../../lib/fault.ts';
import { minisignKeyText } from '../../lib/minisign.ts';
import { verifierOf } from '../../lib/signed-note.ts';
import { type PublishedKey, publicJwk } from './published-keys.ts';
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
    return JSON.stringify({ ...publicJwk(alg, public_key), kid, alg });
  }
  if (form === 'vkey') return verifierOf(`redoubt/${purpose}`, bytes).vkey;
  if (form === 'minisign')
    return minisignKeyText(Buffer.from(kid, 'hex'), bytes, `redoubt ${purpose} ${kid}`);
  return JSON.stringify({ ...publicJwk(alg, public_key), kid, alg: 'EdDSA' });
}
