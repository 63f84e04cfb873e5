import type { Brand } from '../domain/brand/brand.ts';
import type { SigningKey } from '../domain/credential/signing.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import { iso, systemClock } from '../lib/clock.ts';
import { type Faults, orFirstFault } from '../lib/faults.ts';
import type { Log } from '../lib/log.ts';
import { type Credentials, readHanded } from '../lib/read-file.ts';
import { loadBrand } from './brand.ts';
import { type Certificate, judgeCertificate, loadCertificate } from './certificate.ts';
import {
  type Config,
  type Environment,
  proxiesOfEverybody,
  type SettingSource,
  settingSources,
  tryConfig,
  unknownSettings,
} from './config.ts';
import { databaseAddress, type PostgresAddress } from './database-address.ts';
import { type LimitsAddress, limitsAddress } from './limits-address.ts';
import { loadOffer } from './offer.ts';
import { type OidcSettings, oidcSettings } from './oidc.ts';
import { loadSecurityTxt, type SecurityTxt } from './security-txt.ts';
import { AT_START_ONLY, SETTINGS, type SettingName } from './settings.ts';
import { loadSigningKey } from './signing-key.ts';
import { type SmtpServer, smtpServer } from './smtp-server.ts';

/** Everything that a start or a reload reads. */
export interface ServiceInput {
  readonly config: Config;
  readonly sources: Readonly<Record<SettingName, SettingSource>>;
  /** The PostgreSQL database; undefined = SQLite in the data directory. */
  readonly databaseAddress: PostgresAddress | undefined;
  /** The server that counts rate limits for all nodes; undefined = the database counts them. */
  readonly limitsAddress: LimitsAddress | undefined;
  readonly certificate: Certificate | undefined;
  /** For the admin API. */
  readonly adminCertificate: Certificate | undefined;
  readonly offer: Offer;
  /** Signs credentials instead of generated keys. */
  readonly signingKey: SigningKey | undefined;
  readonly securityTxt: SecurityTxt | undefined;
  readonly brand: Brand;
  /** Undefined = operators sign in with passwords only. */
  readonly oidc: OidcSettings | undefined;
  /** Sends notifications; undefined = no mail is sent. */
  readonly smtpServer: SmtpServer | undefined;
}

/** An input whose invalid parts are undefined. */
export type TriedInput = { readonly [Part in keyof ServiceInput]: ServiceInput[Part] | undefined } & {
  readonly config: Partial<Config>;
};

/** @throws ConfigRefused or Fault, with messages for the operator */
export const loadInput = (environment: Environment, handed: Credentials = {}): ServiceInput =>
  orFirstFault((faults) => tryInput(environment, faults, handed)) as ServiceInput;

/** @param faults receives all errors, with messages for the operator */
export function tryInput(environment: Environment, faults: Faults, handed: Credentials = {}): TriedInput {
  const read = readHanded(environment.CREDENTIALS_DIRECTORY, handed);
  const config = tryConfig(environment, faults, { read }) as Config;
  return {
    config,
    sources: faults.attempt(() => settingSources(environment)),
    databaseAddress: faults.attempt(() => databaseAddress(config, read)),
    limitsAddress: faults.attempt(() => limitsAddress(config, read)),
    certificate: faults.attempt(() => loadCertificate(config, 'public', read)),
    adminCertificate: faults.attempt(() => loadCertificate(config, 'admin', read)),
    offer: faults.attempt(() => loadOffer(config.catalogFile)),
    signingKey: faults.attempt(() => loadSigningKey(config, environment)),
    securityTxt: faults.attempt(() => loadSecurityTxt(config)),
    brand: faults.attempt(() => loadBrand(config)),
    oidc: faults.attempt(() => oidcSettings(config, read)),
    smtpServer: faults.attempt(() => smtpServer(config, read)),
  };
}

/** Logs warnings about likely mistakes. */
export function warnOf(
  { config, certificate, limitsAddress, securityTxt }: ServiceInput,
  environment: Environment,
  log: Log,
): void {
  for (const name of unknownSettings(environment)) log.warn('unknown setting ignored', { setting: name });
  for (const setting of proxiesOfEverybody(config))
    log.warn('every address is a trusted proxy: callers choose the address used for limits', { setting });
  const { problems, warnings } = judgeCertificate(certificate, systemClock.now());
  for (const words of [...problems, ...warnings])
    log.warn(words, { expires: certificate && iso(certificate.endsAt) });
  if (limitsAddress?.isInClear)
    log.warn(
      'SERVICE_LIMITS_URL does not use TLS: others on the network can read the password and change the limits. Use rediss://',
    );
  const { expiresAt } = securityTxt ?? {};
  if (expiresAt !== undefined && expiresAt <= systemClock.now())
    log.warn('the security.txt has expired', { expires: iso(expiresAt) });
}

/**
 * Merges the parts of another input that can change without a restart.
 *
 * @returns the merged input, and the environment variables whose change requires a restart
 */
export function adopt(
  running: ServiceInput,
  next: ServiceInput,
): { input: ServiceInput; needRestart: string[] } {
  const changesTls = (next.certificate === undefined) !== (running.certificate === undefined);
  const changesAdminTls = (next.adminCertificate === undefined) !== (running.adminCertificate === undefined);
  const fixed: SettingName[] = AT_START_ONLY.filter((name) => next.config[name] !== running.config[name]);
  if (changesTls) fixed.push('tlsCert', 'tlsKey');
  if (changesAdminTls) fixed.push('adminTlsCert', 'adminTlsKey');
  const kept = Object.fromEntries(fixed.map((name) => [name, running.config[name]]));
  const keptSources = Object.fromEntries(fixed.map((name) => [name, running.sources[name]]));
  const { certificate } = changesTls ? running : next;
  const { adminCertificate } = changesAdminTls ? running : next;
  return {
    input: {
      ...next,
      config: { ...next.config, ...kept },
      sources: { ...next.sources, ...keptSources },
      certificate,
      adminCertificate,
    },
    needRestart: fixed.map((name) => SETTINGS[name].env),
  };
}
