import { createHmac, type KeyObject, sign } from 'node:crypto';
import { SECOND_MS } from '../../lib/clock.ts';

// Signatures of Standard Webhooks 1.0.0.

const PREFIX = 'whsec_';

/** The keys that sign a webhook. */
export interface WebhookKeys {
  /** `whsec_` and base64; two while a secret is rotated. */
  readonly secrets: readonly string[];
  /** Of Ed25519; undefined if none is usable. */
  readonly privateKey: KeyObject | undefined;
}

/**
 * The headers that let a receiver verify a body: who sent it, when, and that it is unchanged.
 *
 * @param id of the event, without a dot
 * @param now milliseconds since the Unix epoch
 */
export function signatureHeaders(
  id: string,
  body: string,
  { secrets, privateKey }: WebhookKeys,
  now: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(now / SECOND_MS));
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = [
    ...secrets.map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    }),
    ...(privateKey ? [`v1a,${sign(null, signed, privateKey).toString('base64')}`] : []),
  ];
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
