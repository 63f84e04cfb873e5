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

/** The keys that sign credentials, as they are at each moment: commands beside the server change them. */
export interface CredentialKeys {
  /**
   * The key that signs; where none can, one is made. Undefined where credentials are not issued, or when that one could not be
   * kept, which the next call tries again.
   */
  active(): Promise<SigningKey | undefined>;
  /** False when credentials could be issued, but no key could sign when one was last asked for. */
  canSign(): boolean;
  /** All that ever signed, or are to. */
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
  /** Whether no other node signs. */
  readonly isAlone: boolean;
  /** The public address of this service, if one is set. */
  readonly baseUrl: string | undefined;
  /** The operator's own, to sign in place of those that the service makes, unless it is revoked. */
  readonly ownKey: SigningKey | undefined;
}

const KEYS_IN_MEMORY_MAX = 8;
const MADE_ELSEWHERE = 'another node created one at the same time';

/** Whether credentials can be issued by a service of this address: verifiers request its keys, and no other host may answer instead. */
export const isIssuer = (baseUrl: string | undefined): baseUrl is string =>
  baseUrl?.startsWith('https://') ?? false;

/**
 * Opens the keys that sign credentials. Where these can be issued and no key can sign, one is made.
 *
 * @throws DataDirectoryUnusable when the files of keys cannot be listed
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

  /** The one that signs by what the database has; undefined when that has to change first. */
  const found = async (): Promise<SigningKey | undefined> => {
    const [keys, now] = [await read(), clock.now()];
    const active = activeKey(keys, now);
    if (ownKey === undefined || isRevoked(ownKey, keys)) return active && privateKeyOf(active.kid);
    const isWaited = keys.some(({ activeFrom, revokedAt }) => revokedAt === null && activeFrom > now);
    return active?.kid === ownKey.kid && !isWaited ? ownKey : undefined;
  };

  /** Has the operator's own sign, else makes one. */
  const mended = async (): Promise<SigningKey | undefined> => {
    const keys = await read();
    if (ownKey !== undefined && !isRevoked(ownKey, keys)) {
      const isKnown = keys.some(({ kid }) => kid === ownKey.kid);
      if ((await keep(ownKey, parts, { isLast: true })) === true || isKnown) return ownKey;
    }
    const active = activeKey(keys, clock.now());
    return (active && privateKeyOf(active.kid)) ?? replacementOf(active);
  };

  const replacementOf = async (lost: StoredKey | undefined): Promise<SigningKey | undefined> => {
    const unusable = lost && { kid: lost.kid, reason: problem };
    // Another node may have it: each would make its own, again and again.
    if (lost && !isAlone) {
      if (!isStuck)
        log.error(
          'this node cannot use the key that signs credentials. Copy signing/ of SERVICE_KEYS_DIR from the node that has it',
          unusable,
        );
      return undefined;
    }
    const made = await makeAndKeep(parts);
    if (typeof made !== 'string') {
      if (unusable)
        log.warn('the key that signs credentials cannot be used; another key signs from now on', unusable);
      return made;
    }
    // Anybody can have it tried, any number of times.
    if (isStuck || made === MADE_ELSEWHERE) return undefined;
    log.error('a key to sign credentials could not be stored; the next attempt is made when one is needed', {
      ...unusable,
      reason: made,
    });
    return undefined;
  };

  const active = async () => {
    // Once more at the end: another node may have made one meanwhile.
    const key =
      (await found()) ?? (await turns.take(async () => (await found()) ?? (await mended()) ?? found()));
    isStuck = key === undefined;
    return key;
  };
  await active();
  return { ...common, active, canSign: () => !isStuck };
}

const isRevoked = ({ kid }: SigningKey, keys: readonly StoredKey[]): boolean =>
  keys.some((key) => key.kid === kid && key.revokedAt !== null);

/** A revoked one counts as if there were none. */
async function trustedOwnKey(
  { ownKey, read, log }: CredentialKeyParts,
  marked: readonly string[],
): Promise<SigningKey | undefined> {
  if (ownKey === undefined) return undefined;
  // A database that was put back may not know it at all.
  if (!marked.includes(ownKey.kid) && !isRevoked(ownKey, await read())) return ownKey;
  log.error(
    'the key in SERVICE_SIGNING_KEY or SERVICE_SIGNING_KEY_FILE is revoked; the service signs with a key of its own. Set another key, then restart or reload',
    { kid: ownKey.kid },
  );
  return undefined;
}

/** @returns the key, or, in words, why there is none; then nothing of it is left */
async function makeAndKeep(parts: CredentialKeyParts): Promise<SigningKey | string> {
  const { files } = parts;
  let made: SigningKey | undefined;
  try {
    made = files.make();
    const kept = await keep(made, parts, { isFirst: !parts.isAlone });
    if (kept === true) return made;
    files.remove(made.kid);
    return kept === false ? MADE_ELSEWHERE : kept;
  } catch (error) {
    return keyTroubleOf(error);
  }
}

/** @returns whether it was wanted, or, in words, why it could not be kept */
async function keep(
  { kid, jwk }: SigningKey,
  { writer, clock }: CredentialKeyParts,
  more: Pick<AddedKey, 'isLast' | 'isFirst'> = {},
): Promise<string | boolean> {
  const now = clock.now();
  const added = { kid, jwk, activeFrom: now, ...more, now, by: { actor: 'system' } } as const;
  const outcome = await writer.write('addCredentialKey', added);
  return isRefusal(outcome) ? outcome.message : outcome;
}
