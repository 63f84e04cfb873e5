import { activeKey } from '../domain/credential/issuer-keys.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { Ed25519Key } from '../domain/signing/ed25519-key.ts';
import { KEY_PURPOSES, type KeyPurpose, PURPOSES } from '../domain/signing/purposes.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { rememberSome } from '../lib/remember-some.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { KeyFiles } from '../storage/signing/key-files.ts';
import type { StoredSigningKey } from '../storage/signing/signing-keys.ts';
import { keyTroubleOf, recoverKeys } from './key-recovery.ts';

/** The Ed25519 keys by purpose. Each call reads the current state, because commands can change keys while the server runs. */
export interface SigningKeys {
  /** The key that signs for a purpose; undefined if this node cannot use it. */
  signer(purpose: KeyPurpose): Promise<Ed25519Key | undefined>;
  /** All past, current and future keys of all purposes. */
  all(): Promise<readonly StoredSigningKey[]>;
}

export interface SigningKeyParts {
  /** Whether this is the only node that signs. */
  readonly isAlone: boolean;
  readonly read: () => Promise<readonly StoredSigningKey[]>;
  readonly filesOf: (purpose: KeyPurpose) => KeyFiles<Ed25519Key>;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

const KEYS_IN_MEMORY_MAX = 16;

/**
 * Opens the keys of all purposes, and creates missing ones. Unusable keys are replaced only on a single node; with several nodes,
 * another one may have the private key.
 *
 * @throws DataDirectoryUnusable if the key files cannot be listed
 */
export async function openSigningKeys(parts: SigningKeyParts): Promise<SigningKeys> {
  const { read, filesOf, clock, log } = parts;
  const reported = new Set<string>();
  const reportOnce = (key: StoredSigningKey, reason: string) => {
    if (reported.has(key.kid)) return;
    reported.add(key.kid);
    const { kid, purpose } = key;
    log.error(
      `this node cannot use a key that signs ${PURPOSES[purpose].signs}. Copy signing/ from the node or the backup that has it, then reload`,
      { kid, purpose, reason },
    );
  };
  const privateKeyOf = rememberSome((name: string) => {
    const [purpose, kid] = name.split(' ') as [KeyPurpose, string];
    return filesOf(purpose).read(kid);
  }, KEYS_IN_MEMORY_MAX);
  const usable = (key: StoredSigningKey): Ed25519Key | string => {
    try {
      return privateKeyOf(`${key.purpose} ${key.kid}`) ?? 'none';
    } catch (error) {
      return keyTroubleOf(error);
    }
  };
  const active = async (purpose: KeyPurpose) =>
    activeKey(
      (await read()).filter((key) => key.purpose === purpose),
      clock.now(),
    );

  for (const purpose of KEY_PURPOSES) {
    await recover(purpose, parts);
    const found = await active(purpose);
    const trouble = found && usable(found);
    if (found === undefined) await make(purpose, parts);
    else if (typeof trouble === 'string' && parts.isAlone) {
      const { kid } = found;
      const message = `a key that signs ${PURPOSES[purpose].signs} cannot be used; another key signs from now on`;
      log.warn(message, { kid, purpose, reason: trouble });
      await make(purpose, parts);
    } else if (typeof trouble === 'string') reportOnce(found, trouble);
  }
  return {
    all: read,
    async signer(purpose) {
      const found = await active(purpose);
      const key = found && usable(found);
      if (found && typeof key === 'string') reportOnce(found, key);
      return typeof key === 'string' ? undefined : key;
    },
  };
}

const recover = (purpose: KeyPurpose, { read, filesOf, writer, clock, log }: SigningKeyParts) =>
  recoverKeys({
    clock,
    log,
    signs: PURPOSES[purpose].signs,
    read: async () => (await read()).filter((key) => key.purpose === purpose),
    files: filesOf(purpose),
    add: ({ kid, publicKey }, now, by) =>
      writer.write('addSigningKey', { kid, purpose, publicKey, activeFrom: now, now, by }),
    revoke: (kid, now, by) => writer.write('revokeSigningKey', { kid, now, by }),
  });

/** Creates a key that signs immediately. If it cannot be stored, removes its private key and logs the reason. */
async function make(
  purpose: KeyPurpose,
  { isAlone, filesOf, writer, clock, log }: SigningKeyParts,
): Promise<void> {
  const files = filesOf(purpose);
  try {
    const { kid, publicKey } = files.make();
    const now = clock.now();
    const added = {
      kid,
      purpose,
      publicKey,
      activeFrom: now,
      isFirst: !isAlone,
      now,
      by: { actor: 'system' },
    } as const;
    const outcome = await writer.write('addSigningKey', added);
    if (outcome === true) return;
    files.remove(kid);
    if (isRefusal(outcome)) reportFailure(purpose, outcome.message, log);
  } catch (error) {
    reportFailure(purpose, keyTroubleOf(error), log);
  }
}

const reportFailure = (purpose: KeyPurpose, reason: string, log: SigningKeyParts['log']): void =>
  log.error(`no key to sign ${PURPOSES[purpose].signs} could be stored; the next start tries again`, {
    purpose,
    reason,
  });
