import { hash } from 'node:crypto';

/** The parts of an observed attack that several customers can share. */
export interface ObservedThreat {
  readonly attackType: string;
  readonly behaviorClass: string;
  /** Opaque hash of the payload, made at the edge. */
  readonly payloadHash: string;
}

/**
 * The match-token of a threat. The formula is public, so that an edge can match offline:
 * base64url(SHA-256("redoubt-fp-v1\n" + attackType + "\n" + behaviorClass + "\n" + payloadHash)).
 */
export const fingerprintOf = (threat: ObservedThreat): string =>
  hash(
    'sha256',
    `redoubt-fp-v1\n${threat.attackType}\n${threat.behaviorClass}\n${threat.payloadHash}`,
    'base64url',
  );

/** 256 bits: the last character stands for four of them. */
export const FINGERPRINT = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Whether a text has the form of a fingerprint. */
export const isFingerprint = (text: string): boolean => FINGERPRINT.test(text);

export const EXAMPLE_FINGERPRINT = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs';
