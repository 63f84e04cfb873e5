import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { DAY_MS } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { fileWords } from '../lib/file-trouble.ts';
import type { ReadFile } from '../lib/read-file.ts';
import type { Config } from './config.ts';
import { SETTINGS } from './settings.ts';

/** A certificate chain and its private key in PEM, with the validity of the first certificate. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The settings for certificate and key, by listener. */
const SETTING_PAIRS = { public: ['tlsCert', 'tlsKey'], admin: ['adminTlsCert', 'adminTlsKey'] } as const;

/**
 * Reads the certificate of a listener, if the settings name one.
 *
 * @throws Fault that names the setting, if a file cannot be read or is invalid; never contains its content
 */
export function loadCertificate(
  config: Config,
  listener: keyof typeof SETTING_PAIRS,
  read: ReadFile,
): Certificate | undefined {
  const [certSetting, keySetting] = SETTING_PAIRS[listener];
  const { [certSetting]: tlsCert, [keySetting]: tlsKey } = config;
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const [ofCert, ofKey] = [
    `${SETTINGS[certSetting].env}: ${tlsCert}`,
    `${SETTINGS[keySetting].env}: ${tlsKey}`,
  ];
  const cert = readPem(ofCert, tlsCert, read);
  const key = readPem(ofKey, tlsKey, read);
  const leaf = orFault(ofCert, 'is not a PEM certificate', () => new X509Certificate(cert));
  const privateKey = orFault(ofKey, 'is not a PEM private key', () => createPrivateKey(key));
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new Fault(`${ofKey} is not the key of the first certificate in ${tlsCert}`);
  }
  // Final check by TLS itself, because the chain may be broken after the first certificate.
  orFault(ofCert, `cannot be used with the key in ${tlsKey}`, () => createSecureContext({ cert, key }));
  return { cert, key, startsAt: Date.parse(leaf.validFrom), endsAt: Date.parse(leaf.validTo) };
}

const SOON_MS_MAX = 30 * DAY_MS;
/** ACME clients renew when a third is left. */
const SOON_SHARE = 1 / 6;

type Validity = Pick<Certificate, 'startsAt' | 'endsAt'>;

/**
 * The state of a certificate, safe to show to unauthenticated callers. An invalid one is a problem. An overdue renewal is a
 * warning: less than 30 days and less than a sixth of its lifetime are left.
 */
export function judgeCertificate(
  certificate: Validity | undefined,
  now: number,
): { problems: string[]; warnings: string[] } {
  if (certificate === undefined) return { problems: [], warnings: [] };
  const { startsAt, endsAt } = certificate;
  if (now >= endsAt) return { problems: ['the TLS certificate has expired'], warnings: [] };
  if (now < startsAt) return { problems: ['the TLS certificate is not valid yet'], warnings: [] };
  const isSoon = endsAt - now < Math.min(SOON_MS_MAX, (endsAt - startsAt) * SOON_SHARE);
  return { problems: [], warnings: isSoon ? ['the TLS certificate expires soon'] : [] };
}

function readPem(what: string, path: string, read: ReadFile): string {
  try {
    return read(path);
  } catch (error) {
    throw new Fault(`cannot read ${what}: ${fileWords(error as NodeJS.ErrnoException)}`);
  }
}

function orFault<Value>(what: string, problem: string, work: () => Value): Value {
  try {
    return work();
  } catch {
    throw new Fault(`${what} ${problem}`);
  }
}
