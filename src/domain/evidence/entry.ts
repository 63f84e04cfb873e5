import { randomBytes } from 'node:crypto';
import { iso } from '../../lib/clock.ts';

export const EVIDENCE_TYPES = [
  'assessment',
  'scan',
  'components',
  'credential_issued',
  'credential_revoked',
  'trust_changed',
  'domain_verified',
  'mirror_changed',
  'key_changed',
  'license_changed',
  'restored',
  'day',
] as const;
/** The subject of an entry in a license's log. */
export type EvidenceType = (typeof EVIDENCE_TYPES)[number];

/** A fact to record in a license's log. */
export interface EvidenceFact {
  readonly type: EvidenceType;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The public id of the site that it is about; null = it is about the license. */
  readonly siteId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Entries are small; longer texts are reports. */
export const ENTRY_BYTES_MAX = 32 * 1_024;
const VERSION = 1;
const NONCE_BYTES = 16;

/**
 * The text of an entry, which is hashed and stored unchanged, never rebuilt from its parts. Its nonce prevents guessing an
 * entry by its hash.
 */
export const entryText = ({ type, at, siteId, data }: EvidenceFact): string =>
  JSON.stringify({
    v: VERSION,
    type,
    at: iso(at),
    nonce: randomBytes(NONCE_BYTES).toString('base64url'),
    site_id: siteId,
    data,
  });
