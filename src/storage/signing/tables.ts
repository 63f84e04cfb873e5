import type { KeyPurpose } from '../../domain/signing/purposes.ts';
import { table } from '../engine/table.ts';

/** All signing keys except those of credentials, by purpose; the private halves are files. */
export const signingKeys = table('signing_keys', ({ int, text }) => ({
  /** Eight bytes of a hash of the key, as hex. */
  kid: text().primaryKey(),
  purpose: text().$type<KeyPurpose>().notNull(),
  /** Of Ed25519, its 32 bytes in base64. */
  publicKey: text('public_key').notNull(),
  createdAt: int('created_at').notNull(),
  /** When it begins to sign, until a later key of its purpose does. */
  activeFrom: int('active_from').notNull(),
  revokedAt: int('revoked_at'),
}));
