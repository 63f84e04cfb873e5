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
  /** What a tenant calls one of its events by. Numbers of forgotten events are given again, at another moment. */
  eventId(licenseId: number, eventId: number, receivedAt: number): string;
  /** What the cursors of one of a tenant's lists are enciphered with; 16 bytes. */
  cursorKey(licenseId: number, list: string): Uint8Array;
  /** What a license puts on a domain to prove that it controls it; no other license's proof is the same. */
  controlToken(licenseId: number, domain: string): string;
  /** What is kept of a mailbox; its address is not. */
  emailHash(canonicalEmail: string): string;
  /** What is kept of the network that a trial was asked for from; of use on that UTC day alone. */
  trialNetworkHash(day: string, network: string): string;
  /** What failed tries to sign in are counted by: nothing that was typed is kept. */
  signInPlace(...what: readonly string[]): string;
  /** What the secrets of operators' second factors are sealed with; 32 bytes. */
  readonly secondFactorKey: Uint8Array;
  /** What the secrets of notification targets are sealed with; 32 bytes. */
  readonly targetKey: Uint8Array;
  /** What shows that the link in a mail of a notification target is genuine. */
  unsubscribeToken(targetId: string): string;
  /** Tells this installation's orders from those of others that share a payment account. */
  readonly installation: string;
  /** What a database remembers of the secret that it was used with. */
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
    installation: derive('installation'),
    keyFingerprint: derive('keyFingerprint'),
  };
}
