import type { CredentialType, RevocationReason } from '../../domain/credential/credential.ts';
import type { P256Jwk } from '../../domain/signing/p256-jwk.ts';
import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';

/** The public halves of the keys that sign credentials, and their states. */
export const credentialKeys = table('credential_keys', ({ int, text, json }) => ({
  /** The thumbprint of RFC 7638. */
  kid: text().primaryKey(),
  jwk: json().$type<P256Jwk>().notNull(),
  createdAt: int('created_at').notNull(),
  /** When it begins to sign, until a later key does. */
  activeFrom: int('active_from').notNull(),
  revokedAt: int('revoked_at'),
}));

/** Status lists of revoked credentials: all lists have the same number of places, and credentials take some. */
export const statusLists = table('status_lists', ({ id, int, text }) => ({
  id: id(),
  /** The public address of this service at that time, which its credentials contain. */
  issuer: text().notNull(),
  createdAt: int('created_at').notNull(),
  /** Places ever taken; none is used again. */
  taken: int().notNull().default(0),
}));

export const credentials = table(
  'credentials',
  ({ id, int, text }) => ({
    id: id(),
    /** A UUID. */
    publicId: text('public_id').notNull().unique(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    type: text().$type<CredentialType>().notNull(),
    /** The domain of its site; null = it is about the license. */
    domain: text(),
    /** Repeating the same statement returns the same credential: an assessment, or a UTC day. */
    basis: text().notNull(),
    kid: text()
      .notNull()
      .references(() => credentialKeys.kid),
    listId: int('list_id')
      .notNull()
      .references(() => statusLists.id),
    /** Its place in the list. */
    listIndex: int('list_index').notNull(),
    /** The credential itself; empty after deletion. */
    token: text().notNull(),
    issuedAt: int('issued_at').notNull(),
    expiresAt: int('expires_at').notNull(),
    revokedAt: int('revoked_at'),
    revocationReason: text('revocation_reason').$type<RevocationReason>(),
  }),
  (of, { index, uniqueIndex }) => [
    uniqueIndex('credentials_place').on(of.listId, of.listIndex),
    index('credentials_license').on(of.licenseId, of.domain),
    index('credentials_page').on(of.licenseId),
    index('credentials_kid').on(of.kid, of.expiresAt),
  ],
);
