import type { Deliver } from '../../domain/notification/delivery.ts';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../../domain/notification/formats/format.ts';
import { SYSLOG_FORMATS } from '../../domain/notification/syslog.ts';
import { tenantReason } from '../../domain/notification/tenant-reason.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { FreshValues } from '../../lib/fresh-values.ts';
import { createIdleConnections } from './idle-connections.ts';
import { createMailer, type MailOptions } from './mail.ts';
import { createSyslog, type SyslogTarget } from './syslog.ts';
import { createWebhook, type WebhookOptions } from './webhook.ts';

/** The properties of a target that delivery needs. */
export interface DeliveryTarget {
  /** The tenant that owns the target; null = the operators. */
  readonly licenseId: number | null;
  readonly kind: 'webhook' | 'mail' | 'syslog';
  /** A URL: `https:`, `mailto:`, `syslog+tls:` or `syslog+unix:`. */
  readonly address: string;
  readonly format: string;
  /** Signing secrets of a webhook. */
  readonly secrets: readonly string[];
  /** PEM certificates to trust; null = those of the system. */
  readonly ca: string | null;
}

export interface TransportOptions<Target>
  extends Omit<WebhookOptions, 'idle' | 'timeoutMs' | 'allowPrivate'>,
    Pick<MailOptions, 'server' | 'brand'> {
  /** Whether the receiver of a target may be in a private network. */
  readonly allowPrivateOf: (target: Target) => boolean;
  /** The unsubscribe page of a mail target, if there is one. */
  readonly unsubscribeOf?: (target: Target) => string | undefined;
}

/** How long the signing key is cached. */
const SIGNER_FRESH_MS = SECOND_MS;

/**
 * Creates the transports for all kinds of targets. Connections are kept between calls, so the target can be passed with each
 * message.
 *
 * @returns `deliverTo`, and `close` for the connections
 */
export function createTransports<Target extends DeliveryTarget>(options: TransportOptions<Target>) {
  const { server, brand, allowPrivateOf, unsubscribeOf = () => undefined, ...rest } = options;
  const mailer = createMailer({ server, brand });
  const signers = new FreshValues(() => options.signer(), {
    freshMs: SIGNER_FRESH_MS,
    max: 1,
    monotonic: () => performance.now(),
  });
  const shared = { ...rest, signer: async () => signers.get('webhook') };
  const idle = { private: createIdleConnections(), public: createIdleConnections() };

  const deliver = (target: Target): Deliver => {
    const { kind, address, secrets } = target;
    const ca = target.ca ?? undefined;
    const url = new URL(address);
    const allowPrivate = allowPrivateOf(target);
    // Addresses are checked only when a connection opens, so targets with other rules must not share it.
    const rules = { ...shared, allowPrivate, idle: idle[allowPrivate ? 'private' : 'public'] };
    switch (kind) {
      case 'webhook': {
        const format = webhookFormat(target.format);
        if (format === SIGNED && secrets.length === 0) return unsigned;
        return createWebhook({ url, format, secrets, ca }, rules);
      }
      case 'mail':
        return mailer.to({ address: address.slice('mailto:'.length), unsubscribe: unsubscribeOf(target) });
      case 'syslog': {
        const format = SYSLOG_FORMATS.find((known) => known === target.format) ?? 'structured';
        return createSyslog({ at: placeOf(url), format, ca }, rules);
      }
    }
  };

  return {
    deliverTo: (target: Target): Deliver =>
      target.licenseId === null ? deliver(target) : inTenantWords(deliver(target)),
    close(): void {
      idle.private.close();
      idle.public.close();
      mailer.close();
    },
  };
}

const inTenantWords =
  (deliver: Deliver): Deliver =>
  async (message) => {
    const outcome = await deliver(message);
    return outcome.outcome === 'delivered' ? outcome : { ...outcome, reason: tenantReason(outcome.reason) };
  };

const SIGNED: WebhookFormat = 'standard';
/** Receivers would refuse an unsigned message, or accept messages that anyone could have sent. */
const unsigned: Deliver = async () => ({
  outcome: 'failed',
  status: null,
  latencyMs: 0,
  reason:
    'The secret was encrypted with another installation key. Rotate it, and give the receiver the new one.',
});

const webhookFormat = (format: string): WebhookFormat =>
  format in WEBHOOK_FORMATS ? (format as WebhookFormat) : 'standard';

const SYSLOG_TLS_PORT = 6514;

const placeOf = ({ protocol, hostname, port, pathname }: URL): SyslogTarget['at'] =>
  protocol === 'syslog+unix:'
    ? { path: unescaped(pathname) }
    : { host: hostname.toLowerCase(), port: Number(port) || SYSLOG_TLS_PORT };

const unescaped = (path: string): string =>
  path.replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
