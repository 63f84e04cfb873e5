import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createIdentities } from '../../domain/identity.ts';
import { installationKeyPath } from '../engine/data-directory.ts';
import { type Database, inTransaction } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import { evidenceKeyPath, makeEvidenceKey, readEvidenceKey } from '../evidence/evidence-key.ts';
import { InstallationKeyRefused, makeSecret, secretIn } from './installation-key.ts';

// The keys of several nodes: the database stores their fingerprints, and a node with other keys is refused.

interface Fingerprints {
  readonly installation: string;
  /** Null until a server was started. */
  readonly evidence: string | null;
}

const knownFingerprints = async (db: Database): Promise<Fingerprints | undefined> =>
  prepare<Fingerprints>(
    db,
    'select key_fingerprint as installation, evidence_fingerprint as evidence from installation',
  ).get();

/**
 * The keys of a node, created when the database was never used with any.
 *
 * @param directory of the keys, which exists
 * @returns the secret of the installation
 * @throws InstallationKeyRefused when they are missing, or not those of the database; DataDirectoryUnusable
 */
export async function sharedKeys(db: Database, directory: string): Promise<Uint8Array> {
  const known = await knownFingerprints(db);
  if (known === undefined || known.evidence === null) await makeSharedKeys(db, directory, { newKey: false });
  const secret = secretIn(installationKeyPath(directory));
  const evidence = readEvidenceKey(directory);
  return held(await knownFingerprints(db), { secret, evidence, directory });
}

/**
 * Creates missing keys when the database was never used with any.
 *
 * @param newKey whether to use the existing keys, and new ones for those that are missing, from now on
 * @returns the created paths
 * @throws InstallationKeyRefused when they are not those of the database; DataDirectoryUnusable
 */
export const makeSharedKeys = (
  db: Database,
  directory: string,
  options: { readonly newKey: boolean },
): Promise<string[]> =>
  // One node at a time: several may begin at once, in the same directory.
  inTransaction(db, () => makeMissing(db, directory, options));

async function makeMissing(
  db: Database,
  directory: string,
  { newKey }: { readonly newKey: boolean },
): Promise<string[]> {
  const known = newKey ? undefined : await knownFingerprints(db);
  const [key, evidenceKey] = [installationKeyPath(directory), evidenceKeyPath(directory)];
  const made: string[] = [];
  let secret = secretIn(key);
  if (known) heldSecret(key, known.installation, secret);
  if (secret === undefined && known === undefined) {
    secret = makeSecret(key);
    made.push(key);
  }
  let evidence = readEvidenceKey(directory);
  if (evidence === undefined && (known?.evidence ?? null) === null) {
    evidence = makeEvidenceKey(directory);
    made.push(evidenceKey);
  }
  if (secret && evidence) await remember(db, fingerprintsOf(secret, evidence), { replaces: newKey });
  held(await knownFingerprints(db), { secret, evidence, directory });
  return made;
}

/** Keeps known fingerprints, unless they are to be replaced. */
async function remember(
  db: Database,
  { installation, evidence }: Fingerprints,
  { replaces }: { readonly replaces: boolean },
): Promise<void> {
  const given = replaces
    ? 'key_fingerprint = excluded.key_fingerprint, evidence_fingerprint = excluded.evidence_fingerprint'
    : 'evidence_fingerprint = coalesce(installation.evidence_fingerprint, excluded.evidence_fingerprint)';
  await prepare(
    db,
    `insert into installation (id, key_fingerprint, evidence_fingerprint) values (1, ?, ?) on conflict (id) do update set ${given}`,
  ).run(installation, evidence);
}

/**
 * Compares the installation's key with the database, for a command, which does not need the other keys.
 *
 * @throws InstallationKeyRefused
 */
export async function refuseOtherKey(db: Database, directory: string): Promise<void> {
  const known = await knownFingerprints(db);
  heldKey(
    installationKeyPath(directory),
    known?.installation,
    secretIn(installationKeyPath(directory)),
    fingerprintOf,
  );
}

/**
 * Compares all keys of a directory with the database, and creates none. Until a server has started, the evidence key may be
 * missing.
 *
 * @returns the secret of the installation
 * @throws InstallationKeyRefused; Fault when one cannot be read
 */
export async function refuseOtherKeys(db: Database, directory: string): Promise<Uint8Array> {
  const known = await knownFingerprints(db);
  const key = installationKeyPath(directory);
  const secret = heldSecret(key, known?.installation, secretIn(key));
  const evidence = readEvidenceKey(directory);
  if (known?.evidence) heldKey(evidenceKeyPath(directory), known.evidence, evidence, evidenceFingerprint);
  return secret;
}

interface FoundKeys {
  readonly directory: string;
  readonly secret: Uint8Array | undefined;
  readonly evidence: KeyObject | undefined;
}

function held(known: Fingerprints | undefined, { directory, secret, evidence }: FoundKeys): Uint8Array {
  const key = heldSecret(installationKeyPath(directory), known?.installation, secret);
  heldKey(evidenceKeyPath(directory), known?.evidence ?? undefined, evidence, evidenceFingerprint);
  return key;
}

function heldKey<Key>(
  path: string,
  known: string | undefined,
  key: Key | undefined,
  fingerprint: (key: Key) => string,
): Key {
  if (key !== undefined && (known === undefined || known === fingerprint(key))) return key;
  const what = existsSync(path) ? 'is not the key that the database was used with' : 'is missing';
  throw new InstallationKeyRefused(
    `${path} ${what}: copy the keys from where the database was used before; if they are lost for good, "redoubt init --new-key" makes others`,
  );
}

/**
 * Compares the secret of an installation with the fingerprint in a database.
 *
 * @param path of the file with the secret
 * @param known undefined = none
 * @throws InstallationKeyRefused
 */
export const heldSecret = (
  path: string,
  known: string | undefined,
  secret: Uint8Array | undefined,
): Uint8Array => heldKey(path, known, secret, fingerprintOf);

export const fingerprintOf = (secret: Uint8Array): string => createIdentities(secret).keyFingerprint;

const fingerprintsOf = (secret: Uint8Array, evidence: KeyObject): Fingerprints => ({
  installation: fingerprintOf(secret),
  evidence: evidenceFingerprint(evidence),
});

const evidenceFingerprint = (key: KeyObject): string =>
  createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('base64url');
