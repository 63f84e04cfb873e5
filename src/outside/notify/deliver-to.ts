import type { Deliver } from '../../domain/notification/delivery.ts';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../../domain/notification/formats/format.ts';
import { SYSLOG_FORMATS } from '../../domain/notification/syslog.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { FreshValues } from '../../lib/fresh-values.ts';
import { createIdleConnections } from './idle-connections.ts';
import { createMailer, type MailOptions } from './mail.ts';
import { createSyslog, type SyslogTarget } from './syslog.ts';
import { createWebhook, type WebhookOptions } from './webhook.ts';

/** As much of a target as sending to it takes. */
export interface DeliveryTarget {
  readonly kind: 'webhook' | 'mail' | 'syslog';
  /** A URL: `https:`, `mailto:`, `syslog+tls:` or `syslog+unix:`. */
  readonly address: string;
  readonly format: string;
  /** Those that sign, of a webhook. */
  readonly secrets: readonly string[];
  /** PEM certificates to trust; null = those of the system. */
  readonly ca: string | null;
}

export interface TransportOptions<Target>
  extends Omit<WebhookOptions, 'idle' | 'timeoutMs'>,
    Pick<MailOptions, 'server' | 'brand'> {
  /** The page where the recipient of a mail target ends its mails, if there is one. */
  readonly unsubscribeOf?: (target: Target) => string | undefined;
}

/** How long a key that signs is used without another look for it. */
const SIGNER_FRESH_MS = SECOND_MS;

/**
 * What sends to targets of every kind. Connections outlive a call, so that a target can be given again for each message.
 *
 * @returns also a function that closes the connections
 */
export function createTransports<Target extends DeliveryTarget>(options: TransportOptions<Target>) {
  const { server, brand, unsubscribeOf = () => undefined, ...rest } = options;
  const idle = createIdleConnections();
  const mailer = createMailer({ server, brand });
  const signers = new FreshValues(() => options.signer(), {
    ...{ freshMs: SIGNER_FRESH_MS, max: 1, monotonic: () => performance.now() },
  });
  const shared = { ...rest, idle, signer: async () => signers.get('webhook') };

  const deliverTo = (target: Target): Deliver => {
    const { kind, address, secrets } = target;
    const ca = target.ca ?? undefined;
    const url = new URL(address);
    switch (kind) {
      case 'webhook':
        return createWebhook({ url, format: webhookFormat(target.format), secrets, ca }, shared);
      case 'mail':
        return mailer.to({ address: address.slice('mailto:'.length), unsubscribe: unsubscribeOf(target) });
      case 'syslog': {
        const format = SYSLOG_FORMATS.find((known) => known === target.format) ?? 'structured';
        return createSyslog({ at: placeOf(url), format, ca }, shared);
      }
    }
  };

  return {
    deliverTo,
    close(): void {
      idle.close();
      mailer.close();
    },
  };
}

const webhookFormat = (format: string): WebhookFormat =>
  format in WEBHOOK_FORMATS ? (format as WebhookFormat) : 'standard';

const SYSLOG_TLS_PORT = 6514;

const placeOf = ({ protocol, hostname, port, pathname }: URL): SyslogTarget['at'] =>
  protocol === 'syslog+unix:'
    ? { path: unescaped(pathname) }
    : { host: hostname.toLowerCase(), port: Number(port) || SYSLOG_TLS_PORT };

const unescaped = (path: string): string =>
  path.replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
