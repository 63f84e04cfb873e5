import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { DAY_MS } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { fileWords } from '../lib/file-trouble.ts';
import type { ReadFile } from '../lib/read-file.ts';
import type { Config } from './config.ts';
import { SETTINGS } from './settings.ts';

/** A chain of certificates and its private key, PEM texts; its first certificate is valid from one moment to the other. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** Milliseconds since the Unix epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The settings that name a certificate and its key, of the interface or of the admin API. */
const SETTING_PAIRS = { public: ['tlsCert', 'tlsKey'], admin: ['adminTlsCert', 'adminTlsKey'] } as const;

/**
 * Reads the certificate that the settings name for a listener, if any.
 *
 * @throws Fault naming the setting, when a file cannot be read or is not what it should be; what it holds is not told
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
  // Only what TLS itself takes: a chain may be broken behind its first certificate.
  orFault(ofCert, `cannot be used with the key in ${tlsKey}`, () => createSecureContext({ cert, key }));
  return { cert, key, startsAt: Date.parse(leaf.validFrom), endsAt: Date.parse(leaf.validTo) };
}

const SOON_MS_MAX = 30 * DAY_MS;
/** Clients of ACME renew when a third is left. */
const SOON_SHARE = 1 / 6;

type Validity = Pick<Certificate, 'startsAt' | 'endsAt'>;

/**
 * What is the matter with a certificate at a moment, in public words. That clients refuse it is a problem. That it should have been
 * renewed, because a sixth of its time is left, or thirty days, is a warning.
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
