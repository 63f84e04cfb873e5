import { activeKey, publishedKeys } from '../domain/credential/issuer-keys.ts';
import type { SigningKey } from '../domain/credential/signing.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { rememberSome } from '../lib/remember-some.ts';
import { Turns } from '../lib/turns.ts';
import type { CredentialKeyFiles } from '../storage/credentials/credential-key-files.ts';
import type { AddedKey, StoredKey } from '../storage/credentials/credential-keys.ts';
import type { Writer } from '../storage/engine/writer.ts';
import { keyTroubleOf, recoverKeys } from './key-recovery.ts';

/** The keys that sign credentials. Each call reads the current state, because commands can change keys while the server runs. */
export interface CredentialKeys {
  /**
   * The signing key; creates one if none can sign. Undefined if credentials are not issued, or if the new key could not be
   * stored, which the next call tries again.
   */
  active(): Promise<SigningKey | undefined>;
  /** False if credentials are issued, but the last call of {@link active} found no usable key. */
  canSign(): boolean;
  /** All past, current and future keys. */
  all(): Promise<readonly StoredKey[]>;
  /** The published keys, in the order of their first signature. */
  published(): Promise<readonly StoredKey[]>;
}

export interface CredentialKeyParts {
  readonly read: () => Promise<readonly StoredKey[]>;
  readonly files: CredentialKeyFiles;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** Whether this is the only node that signs. */
  readonly isAlone: boolean;
  /** The configured public address of this service. */
  readonly baseUrl: string | undefined;
  /** The operator's own key. Unless it is revoked, it signs instead of generated keys. */
  readonly ownKey: SigningKey | undefined;
}

const KEYS_IN_MEMORY_MAX = 8;
const CREATED_ELSEWHERE = 'another node created one at the same time';

/** Whether credentials can be issued at this address. Verifiers fetch the keys from it, so it must use HTTPS. */
export const isIssuer = (baseUrl: string | undefined): baseUrl is string =>
  baseUrl?.startsWith('https://') ?? false;

/**
 * Opens the keys that sign credentials. If credentials are issued and no key can sign, creates one.
 *
 * @throws DataDirectoryUnusable if the key files cannot be listed
 */
export async function openCredentialKeys(parts: CredentialKeyParts): Promise<CredentialKeys> {
  const { isAlone, baseUrl, read, files, writer, clock, log } = parts;
  const published = async () => publishedKeys(await read(), clock.now());
  const marked = await recoverKeys({
    ...parts,
    signs: 'credentials',
    add: ({ kid, jwk }, now, by) => writer.write('addCredentialKey', { kid, jwk, activeFrom: now, now, by }),
    revoke: (kid, now, by) => writer.write('revokeCredentialKey', { kid, now, by }),
  });
  const common = { all: read, published };
  if (!isIssuer(baseUrl)) return { ...common, active: async () => undefined, canSign: () => true };
  const turns = new Turns();
  const ownKey = await trustedOwnKey(parts, marked);
  let problem: string | undefined;
  let isStuck = false;
  const privateKeyOf = rememberSome((kid: string) => {
    try {
      return files.read(kid);
    } catch (error) {
      problem = keyTroubleOf(error);
      return undefined;
    }
  }, KEYS_IN_MEMORY_MAX);

  /** The active key according to the database; undefined if the database must be changed first. */
  const usableKey = async (): Promise<SigningKey | undefined> => {
    const [keys, now] = [await read(), clock.now()];
    const active = activeKey(keys, now);
    if (ownKey === undefined || isRevoked(ownKey, keys)) return active && privateKeyOf(active.kid);
    const isScheduled = keys.some(({ activeFrom, revokedAt }) => revokedAt === null && activeFrom > now);
    return active?.kid === ownKey.kid && !isScheduled ? ownKey : undefined;
  };

  /** Activates the operator's own key, or creates one. */
  const repaired = async (): Promise<SigningKey | undefined> => {
    const keys = await read();
    if (ownKey !== undefined && !isRevoked(ownKey, keys)) {
      const isKnown = keys.some(({ kid }) => kid === ownKey.kid);
      if ((await store(ownKey, parts, { isLast: true })) === true || isKnown) return ownKey;
    }
    const active = activeKey(keys, clock.now());
    return (active && privateKeyOf(active.kid)) ?? replacementOf(active);
  };

  const replacementOf = async (lost: StoredKey | undefined): Promise<SigningKey | undefined> => {
    const unusable = lost && { kid: lost.kid, reason: problem };
    // Another node may have this key. If each node replaced the keys of others, they would never stop.
    if (lost && !isAlone) {
      if (!isStuck)
        log.error(
          'this node cannot use the key that signs credentials. Copy signing/ of SERVICE_KEYS_DIR from the node that has it',
          unusable,
        );
      return undefined;
    }
    const made = await createKey(parts);
    if (typeof made !== 'string') {
      if (unusable)
        log.warn('the key that signs credentials cannot be used; another key signs from now on', unusable);
      return made;
    }
    // Unauthenticated callers can trigger any number of attempts, so only the first failure is logged.
    if (isStuck || made === CREATED_ELSEWHERE) return undefined;
    log.error('a key to sign credentials could not be stored; the next attempt is made when one is needed', {
      ...unusable,
      reason: made,
    });
    return undefined;
  };

  const active = async () => {
    // Repeated at the end, because another node may have created a key in the meantime.
    const key =
      (await usableKey()) ??
      (await turns.take(async () => (await usableKey()) ?? (await repaired()) ?? usableKey()));
    isStuck = key === undefined;
    return key;
  };
  await active();
  return { ...common, active, canSign: () => !isStuck };
}

const isRevoked = ({ kid }: SigningKey, keys: readonly StoredKey[]): boolean =>
  keys.some((key) => key.kid === kid && key.revokedAt !== null);

/** The operator's own key; undefined if it is revoked. */
async function trustedOwnKey(
  { ownKey, read, log }: CredentialKeyParts,
  marked: readonly string[],
): Promise<SigningKey | undefined> {
  if (ownKey === undefined) return undefined;
  // A restored database may not contain this key at all, so the key files are checked as well.
  if (!marked.includes(ownKey.kid) && !isRevoked(ownKey, await read())) return ownKey;
  log.error(
    'the key in SERVICE_SIGNING_KEY or SERVICE_SIGNING_KEY_FILE is revoked; the service signs with a key of its own. Set another key, then restart or reload',
    { kid: ownKey.kid },
  );
  return undefined;
}

/** @returns the new key, or the reason why there is none; then its files have been removed */
async function createKey(parts: CredentialKeyParts): Promise<SigningKey | string> {
  const { files } = parts;
  let made: SigningKey | undefined;
  try {
    made = files.make();
    const kept = await store(made, parts, { isFirst: !parts.isAlone });
    if (kept === true) return made;
    files.remove(made.kid);
    return kept === false ? CREATED_ELSEWHERE : kept;
  } catch (error) {
    return keyTroubleOf(error);
  }
}

/** @returns whether the key was added, or the reason why it could not be stored */
async function store(
  { kid, jwk }: SigningKey,
  { writer, clock }: CredentialKeyParts,
  more: Pick<AddedKey, 'isLast' | 'isFirst'> = {},
): Promise<string | boolean> {
  const now = clock.now();
  const added = { kid, jwk, activeFrom: now, ...more, now, by: { actor: 'system' } } as const;
  const outcome = await writer.write('addCredentialKey', added);
  return isRefusal(outcome) ? outcome.message : outcome;
}
