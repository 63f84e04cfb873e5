import { createHmac } from 'node:crypto';

/**
 * Opaque identities, derived from the authenticated license and never from a body: HMAC-SHA-256
 * with the installation's secret, one context for each name, in base64url.
 */
export interface DerivedIdentities {
  licenseIdHash(licenseId: number): string;
  /**
   * What digital immunity is aggregated by; with the token by which a sender tells its sites apart, the identity
   * of that one. A token is whatever the sender made up, so it is never kept itself.
   */
  siteIdHash(licenseId: number, site?: string): string;
  /** What cloud immunity is aggregated by. */
  appIdHash(licenseId: number): string;
  /** What a tenant calls one of its events by. */
  eventId(licenseId: number, eventId: number): string;
  /** What is kept of a mailbox; its address is not. */
  emailHash(canonicalEmail: string): string;
  /** Tells this installation's orders from those of others that share a payment account. */
  readonly installation: string;
}

export function createIdentities(installationSecret: Uint8Array): DerivedIdentities {
  const derive = (context: string, ...parts: readonly (string | number)[]) =>
    createHmac('sha256', installationSecret)
      .update(['redoubt-identity-v1', context, ...parts].join('\n'))
      .digest('base64url');
  return {
    licenseIdHash: (licenseId) => derive('licenseIdHash', licenseId),
    siteIdHash: (licenseId, site) => derive('siteIdHash', licenseId, ...(site === undefined ? [] : [site])),
    appIdHash: (licenseId) => derive('appIdHash', licenseId),
    eventId: (licenseId, eventId) => derive('eventId', licenseId, eventId),
    emailHash: (email) => derive('emailHash', email),
    installation: derive('installation'),
  };
}
