import { parseSigningKey, type SigningKey } from '../domain/credential/signing.ts';
import { type Config, ConfigRefused, type Environment, secretSetBy } from './config.ts';
import { SETTINGS } from './settings.ts';

/**
 * The operator's own key for signing credentials, if one is set.
 *
 * @throws ConfigRefused
 */
export function loadSigningKey(
  { signingKey: pem }: Pick<Config, 'signingKey'>,
  environment: Environment,
): SigningKey | undefined {
  if (pem === undefined) return undefined;
  const key = parseSigningKey(pem);
  if (key !== undefined) return key;
  throw new ConfigRefused(
    `${secretSetBy(SETTINGS.signingKey, environment)} is not a P-256 private key in PKCS#8 PEM. Create one with "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"; to convert one that is encrypted or starts with "BEGIN EC", use "openssl pkcs8 -topk8 -nocrypt"`,
  );
}
