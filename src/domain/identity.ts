import { createHmac } from 'node:crypto';

/**
 * Opaque identities, derived from the authenticated license and never from a body: HMAC-SHA-256
 * with the installation's secret, one context for each name, in base64url.
 */
export interface DerivedIdentities {
  licenseIdHash(licenseId: number): string;
  /**
   * Aggregates digital immunity; with a sender's token for one of its sites, the identity of that site. A token is any text of
   * the sender, so it is never stored.
   */
  siteIdHash(licenseId: number, site?: string): string;
  /** Aggregates cloud immunity. */
  appIdHash(licenseId: number): string;
  /** The public id of one of a tenant's events. Ids of deleted events are used again, at another moment. */
  eventId(licenseId: number, eventId: number, receivedAt: number): string;
  /** The 16-byte key of the cursors of one of a tenant's lists. */
  cursorKey(licenseId: number, list: string): Uint8Array;
  /** The token by which a license proves that it controls a domain; unique to the license. */
  controlToken(licenseId: number, domain: string): string;
  /** The stored hash of a mailbox, in place of its address. */
  emailHash(canonicalEmail: string): string;
  /** The stored hash of the network of a trial's request; useful only on that UTC day. */
  trialNetworkHash(day: string, network: string): string;
  /** The key for counting failed attempts to sign in: typed text is never stored. */
  signInPlace(...what: readonly string[]): string;
  /** The 32-byte key that seals operators' second factors. */
  readonly secondFactorKey: Uint8Array;
  /** The 32-byte key that seals the secrets of notification targets. */
  readonly targetKey: Uint8Array;
  /** Authenticates the link in a mail of a notification target. */
  unsubscribeToken(targetId: string): string;
  /** Authenticates the link with which a recipient confirms mails of a target. */
  confirmToken(targetId: string, address: string): string;
  /** Distinguishes this installation's orders from those of others on the same payment account. */
  readonly installation: string;
  /** The fingerprint of the secret, for the database. */
  readonly keyFingerprint: string;
}

const CURSOR_KEY_BYTES = 16;

export function createIdentities(installationSecret: Uint8Array): DerivedIdentities {
  const derivedBytes = (context: string, ...parts: readonly (string | number)[]) =>
    createHmac('sha256', installationSecret)
      .update(['redoubt-identity-v1', context, ...parts].join('\n'))
      .digest();
  const derive = (...context: Parameters<typeof derivedBytes>) =>
    derivedBytes(...context).toString('base64url');
  return {
    licenseIdHash: (licenseId) => derive('licenseIdHash', licenseId),
    siteIdHash: (licenseId, site) => derive('siteIdHash', licenseId, ...(site === undefined ? [] : [site])),
    appIdHash: (licenseId) => derive('appIdHash', licenseId),
    eventId: (licenseId, eventId, receivedAt) => derive('eventId', licenseId, eventId, receivedAt),
    cursorKey: (licenseId, list) => derivedBytes('cursor', licenseId, list).subarray(0, CURSOR_KEY_BYTES),
    controlToken: (licenseId, domain) => derive('siteVerification', licenseId, domain),
    emailHash: (email) => derive('emailHash', email),
    trialNetworkHash: (day, network) => derive('trialNetwork', day, network),
    signInPlace: (...what) => derive('signIn', JSON.stringify(what)),
    secondFactorKey: derivedBytes('secondFactor'),
    targetKey: derivedBytes('notificationTarget'),
    unsubscribeToken: (targetId) => derive('unsubscribe', targetId),
    confirmToken: (targetId, address) => derive('confirmMail', targetId, address),
    installation: derive('installation'),
    keyFingerprint: derive('keyFingerprint'),
  };
}
