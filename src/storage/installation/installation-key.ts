import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { createIdentities } from '../../domain/identity.ts';
import { layFile } from '../../lib/lay-file.ts';
import { readFile } from '../../lib/read-file.ts';
import { orUnusable } from '../engine/data-directory.ts';
import { withClient } from '../engine/sqlite/database.ts';
import type { UseClient } from '../engine/sqlite/look.ts';

/** The key is missing, damaged or not that of the database; the message is for the operator. */
export class InstallationKeyRefused extends Error {}

const SECRET_BYTES = 32;
const RESTORE = 'Restore installation.key from the backup of the database';

/**
 * Reads the secret from which an installation derives its identities, and compares it with the database.
 *
 * @param key path of its file
 * @param database path of a database of any version but 0
 * @param open opens the database
 * @returns undefined when there is no key, and nothing derived from one
 * @throws InstallationKeyRefused when the database contains licenses, and the key is missing or another one
 */
export function readSecret(key: string, database: string, use?: UseClient): Uint8Array | undefined {
  const secret = secretIn(key);
  const remembered = (client: DatabaseSync) => ({
    fingerprint: knownFingerprint(client),
    hasLicenses: client.prepare('select 1 from licenses').get() !== undefined,
  });
  const { fingerprint, hasLicenses } = withClient(database, 'read', remembered, use);
  if (hasLicenses && secret === undefined) {
    throw new InstallationKeyRefused(
      `${key} is missing: without it, the licenses in ${database} get new identities. ${RESTORE}. If it is lost for good, "redoubt init --new-key" creates another`,
    );
  }
  if (hasLicenses && secret && fingerprint !== undefined && fingerprint !== fingerprintOf(secret)) {
    throw new InstallationKeyRefused(`${key} is not the key of ${database}. ${RESTORE}`);
  }
  return secret;
}

/**
 * Reads the secret of a file.
 *
 * @returns undefined when there is none
 * @throws InstallationKeyRefused when it is damaged
 */
export function secretIn(key: string): Uint8Array | undefined {
  const text = existsSync(key) ? orUnusable(`cannot read ${key}`, () => readFile(key)) : undefined;
  const secret = text === undefined ? undefined : Buffer.from(text, 'base64');
  if (secret !== undefined && secret.length < SECRET_BYTES) {
    throw new InstallationKeyRefused(`${key} is damaged. ${RESTORE}`);
  }
  return secret;
}

/**
 * Creates a secret and writes it to a file.
 *
 * @throws DataDirectoryUnusable
 */
export function makeSecret(key: string): Uint8Array {
  const secret = randomBytes(SECRET_BYTES);
  orUnusable(`cannot create ${key}`, () =>
    layFile(key, (file) => writeFileSync(file, `${secret.toString('base64')}\n`)),
  );
  return secret;
}

/** Stores the fingerprint of the secret in a database of this version. */
export function rememberSecret(database: string, secret: Uint8Array): void {
  const fingerprint = fingerprintOf(secret);
  withClient(database, 'open', (client) => {
    if (knownFingerprint(client) === fingerprint) return;
    client
      .prepare('insert or replace into installation (id, key_fingerprint) values (1, ?)')
      .run(fingerprint);
  });
}

/** The fingerprint of the key in a database, which may be damaged or missing; undefined if unknown. */
export function rememberedKey(database: string): string | undefined {
  if (!existsSync(database)) return undefined;
  try {
    return withClient(database, 'read', knownFingerprint);
  } catch {
    return undefined;
  }
}

/** The fingerprint of the key in a database; undefined before the first start with a key. */
function knownFingerprint(client: DatabaseSync): string | undefined {
  const row = client.prepare('select key_fingerprint as fingerprint from installation').get();
  return row?.fingerprint as string | undefined;
}

const fingerprintOf = (secret: Uint8Array): string => createIdentities(secret).keyFingerprint;
