import { generateKeyPairSync } from 'node:crypto';
import { parseSigningKey, type SigningKey, signingKeyOf } from '../../domain/credential/signing.ts';
import { type KeyFiles, keyFiles } from '../signing/key-files.ts';

export type CredentialKeyFiles = KeyFiles<SigningKey>;

/** @param keysDir contains `signing/` */
export const credentialKeyFiles = (keysDir: string): CredentialKeyFiles =>
  keyFiles(keysDir, {
    purpose: 'credential',
    kidPattern: '[A-Za-z0-9_-]{43}',
    make: newKey,
    parse: parseSigningKey,
  });

/** Its name must not look like an option of a command. */
function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = signingKeyOf(privateKey);
  return key === undefined || key.kid.startsWith('-') ? newKey() : key;
}
