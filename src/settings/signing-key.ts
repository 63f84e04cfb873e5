import { parseSigningKey, type SigningKey } from '../domain/credential/signing.ts';
import { type Config, ConfigRefused, type Environment, secretSetBy } from './config.ts';
import { SETTINGS } from './settings.ts';

/**
 * The operator's own key to sign credentials with, if one is set.
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
    `${secretSetBy(SETTINGS.signingKey, environment)} gives no private key on the curve P-256 as a PKCS#8 PEM: make one with "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"; "openssl pkcs8 -topk8 -nocrypt" converts one that is encrypted or begins with "BEGIN EC"`,
  );
}
