import { OWN_NAME } from '../domain/brand/brand.ts';
import { textInRanges } from '../lib/address-range.ts';
import { type ReadFile, readFile } from '../lib/read-file.ts';
import { type Config, ConfigRefused } from './config.ts';
import { certificatesIn } from './database-address.ts';

/** How the connection to a mail server is encrypted; `none` only on this host. */
export type MailTls = 'starttls' | 'tls' | 'none';

/** The mail server that sends notifications, and the sender. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly tls: MailTls;
  /** PEM certificates to trust; undefined = those of the system. */
  readonly ca: string | undefined;
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly from: { readonly name: string; readonly address: string };
}

type SmtpSettings = Pick<
  Config,
  'smtpHost' | 'smtpPort' | 'smtpTls' | 'smtpCa' | 'smtpUser' | 'smtpPassword' | 'smtpFrom' | 'brandName'
>;

const DEFAULT_PORTS: Readonly<Record<MailTls, number>> = { starttls: 587, tls: 465, none: 25 };
const isLoopbackAddress = textInRanges(['127.0.0.0/8', '::1']);

/**
 * The mail server in the settings.
 *
 * @returns undefined if none is configured
 * @throws ConfigRefused
 */
export function smtpServer(settings: SmtpSettings, read: ReadFile = readFile): SmtpServer | undefined {
  const { smtpHost: host, smtpPort, smtpTls, smtpCa, smtpUser: user, smtpPassword, smtpFrom } = settings;
  if (host === undefined) {
    if (
      Object.values({ smtpPort, smtpTls, smtpCa, user, smtpPassword, smtpFrom }).every(
        (value) => value === undefined,
      )
    )
      return undefined;
    throw new ConfigRefused(
      'SERVICE_SMTP_HOST is not set, but other settings of the mail server are. Set it too',
    );
  }
  if (smtpFrom === undefined)
    throw new ConfigRefused('SERVICE_SMTP_HOST requires SERVICE_SMTP_FROM. Set it too');
  if ((user === undefined) !== (smtpPassword === undefined))
    throw new ConfigRefused('SERVICE_SMTP_USER and SERVICE_SMTP_PASSWORD must be set together');
  const tls = smtpTls ?? (host === 'localhost' || isLoopbackAddress(host) ? 'none' : 'starttls');
  if (tls === 'none' && smtpCa !== undefined)
    throw new ConfigRefused('SERVICE_SMTP_CA requires TLS. Set SERVICE_SMTP_TLS=starttls too');
  return {
    host,
    port: smtpPort ?? DEFAULT_PORTS[tls],
    tls,
    ca: smtpCa === undefined ? undefined : certificatesIn('SERVICE_SMTP_CA', smtpCa, read),
    login: user === undefined || smtpPassword === undefined ? undefined : { user, password: smtpPassword },
    from: senderOf(smtpFrom, settings.brandName),
  };
}

/**
 * @param text in the form of the setting
 * @param brand the default name
 */
function senderOf(text: string, brand = OWN_NAME): SmtpServer['from'] {
  const [, name = brand, address = text] = /^(.+) <(.+)>$/.exec(text) ?? [];
  return { name, address };
}
