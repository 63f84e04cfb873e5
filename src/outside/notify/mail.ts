import { createHash } from 'node:crypto';
import { EMAIL_TEXT } from '../../domain/license/email.ts';
import type { Deliver, Message, Outcome } from '../../domain/notification/delivery.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { loadOnce } from '../../lib/load-once.ts';
import type { SmtpServer } from '../../settings/smtp-server.ts';
import { outcomeOfMailFault } from './mail-outcome.ts';
import { latencySince } from './outcomes.ts';

export interface MailRecipient {
  /** One mailbox. */
  readonly address: string;
  /** Address where the recipient can unsubscribe: `https:` or `mailto:`. */
  readonly unsubscribe?: string | undefined;
}

export interface MailOptions {
  /** Undefined if no server is configured. */
  readonly server: SmtpServer | undefined;
  /** The operator's name; by default the display name of the sender. */
  readonly brand?: string | undefined;
  readonly timeoutMs?: number;
}

export interface Mailer {
  to(recipient: MailRecipient): Deliver;
  /** Closes the connections. */
  close(): void;
}

const TIMEOUT_MS = 15 * SECOND_MS;
/** How long idle connections are kept. */
const IDLE_MS = 20 * SECOND_MS;
const CONNECTIONS_MAX = 3;
const NO_SERVER =
  'No mail server is configured. Set SERVICE_SMTP_HOST and SERVICE_SMTP_FROM, then reload the service.';
const NO_MAILBOX = 'The address is not one mailbox. Use an address such as alerts@example.com.';

const libraries = loadOnce(async () => {
  const [nodemailer, body] = await Promise.all([import('nodemailer'), import('./mail-body.tsx')]);
  return { createTransport: nodemailer.createTransport, mailBody: body.mailBody };
});

/** Sends mail through one SMTP server with pooled connections. Loads nodemailer and the templates for the first mail. */
export function createMailer({
  server,
  brand = server?.from.name ?? '',
  timeoutMs = TIMEOUT_MS,
}: MailOptions): Mailer {
  const transport = loadOnce(async () => {
    if (server === undefined) return undefined;
    return (await libraries()).createTransport(transportOptions(server, timeoutMs));
  });

  const send = async (recipient: MailRecipient, message: Message): Promise<void> => {
    const { mailBody } = await libraries();
    const unsubscribe = unsubscribePage(recipient.unsubscribe);
    const { address } = recipient;
    await (await transport())?.sendMail({
      from: server?.from ?? '',
      to: { name: '', address },
      ...mailBody(message, { brand, unsubscribe }),
      messageId: messageIdOf(message, address, server?.from.address ?? ''),
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe === undefined
          ? {}
          : { 'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` } }),
        // RFC 8058: mail programs show an unsubscribe button that posts there.
        ...(unsubscribe?.startsWith('https:')
          ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
          : {}),
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
  };

  return {
    to:
      (recipient) =>
      async (message): Promise<Outcome> => {
        const unsent = { status: null, latencyMs: 0 };
        if (server === undefined) return { outcome: 'failed', ...unsent, reason: NO_SERVER };
        if (!EMAIL_TEXT.test(recipient.address)) return { outcome: 'refused', ...unsent, reason: NO_MAILBOX };
        const startedAt = performance.now();
        try {
          await send(recipient, message);
          return { outcome: 'delivered', status: null, latencyMs: latencySince(startedAt) };
        } catch (error) {
          return outcomeOfMailFault(error, latencySince(startedAt));
        }
      },
    close: () => void transport().then((opened) => opened?.close()),
  };
}

const transportOptions = ({ host, port, tls, ca, login }: SmtpServer, timeoutMs: number) =>
  ({
    pool: true,
    host,
    port,
    maxConnections: CONNECTIONS_MAX,
    idleTimeout: IDLE_MS,
    maxRequeues: 1,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    // Set explicitly, because an environment variable can disable the verification.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }) as const;

/** Derived from recipient and events, so that mail programs can drop a repeated mail. */
function messageIdOf({ events }: Message, recipient: string, from: string): string {
  const digest = createHash('sha256').update(JSON.stringify([recipient, ...events.map(({ id }) => id)]));
  return `<${digest.digest('hex').slice(0, 32)}@${from.slice(from.lastIndexOf('@') + 1)}>`;
}

/** Returns an address that is safe in a header: ASCII without white space or delimiters. */
function unsubscribePage(text: string | undefined): string | undefined {
  const url = URL.parse(text ?? '');
  if (url === null || !['https:', 'http:', 'mailto:'].includes(url.protocol)) return undefined;
  return /^[!-~]+$/.test(url.href) ? url.href.replace(/[<>,]/g, encodeURIComponent) : undefined;
}
