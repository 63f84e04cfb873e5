import type { IssuerKeyFacts } from '../domain/credential/issuer-keys.ts';
import { KEY_PURPOSES } from '../domain/signing/purposes.ts';
import type { Act, RefusedAct } from '../operator/act.ts';
import { revokeCredentialKey, rotateCredentialKey } from '../operator/credential-keys.ts';
import type { PlannedKey } from '../operator/key-rotation.ts';
import { revokeSigningKey, rotateSigningKey } from '../operator/signing-keys.ts';
import { credentialKeyFiles } from '../storage/credentials/credential-key-files.ts';
import { readCredentialKeys } from '../storage/credentials/credential-keys.ts';
import type { Database } from '../storage/engine/database.ts';
import type { KeyFiles } from '../storage/signing/key-files.ts';
import { readSigningKeys, signingKeyFiles } from '../storage/signing/signing-keys.ts';

/** Of which keys `list`, `rotate` and `revoke` know. */
export const RING_PURPOSES = ['credential', ...KEY_PURPOSES] as const;
export type RingPurpose = (typeof RING_PURPOSES)[number];

/** The keys of one purpose, in the database and beside it. */
export interface KeyRing {
  readonly purpose: RingPurpose;
  all(): Promise<readonly IssuerKeyFacts[]>;
  /** See `rotateKeys`. */
  rotate(options: { readonly atOnce: boolean }, act: Act): Promise<PlannedKey | RefusedAct>;
  /** See `revokeKey`. */
  revoke(kid: string, act: Act): Promise<PlannedKey | RefusedAct>;
  /** See KeyFiles. */
  mark(kid: string): void;
  /** Removes the private halves that were made here and that the database did not take. */
  tidy(): Promise<void>;
}

export interface KeyRingParts {
  readonly db: Database;
  readonly keysDir: string;
  /** Whether the settings name a key of the operator's own, to sign credentials with. */
  readonly hasOwnKey: boolean;
}

export function openKeyRing(purpose: RingPurpose, { db, keysDir, hasOwnKey }: KeyRingParts): KeyRing {
  if (purpose === 'credential') {
    const all = readCredentialKeys(db);
    const { make, ...ring } = ringOf(purpose, credentialKeyFiles(keysDir), all);
    return {
      ...ring,
      rotate: async (options, act) => rotateCredentialKey(await all(), { make, hasOwnKey }, options, act),
      revoke: async (kid, act) => revokeCredentialKey(await all(), { make, hasOwnKey }, kid, act),
    };
  }
  const read = readSigningKeys(db);
  const all = async () => (await read()).filter((key) => key.purpose === purpose);
  const { make, ...ring } = ringOf(purpose, signingKeyFiles(keysDir, purpose), all);
  return {
    ...ring,
    rotate: async (options, act) => rotateSigningKey(purpose, await all(), { make }, options, act),
    revoke: async (kid, act) => revokeSigningKey(purpose, await all(), { make }, kid, act),
  };
}

function ringOf<Key extends { readonly kid: string }>(
  purpose: RingPurpose,
  files: KeyFiles<Key>,
  all: () => Promise<readonly IssuerKeyFacts[]>,
) {
  const made: string[] = [];
  return {
    purpose,
    all,
    mark: files.mark,
    make(): Key {
      const key = files.make();
      made.push(key.kid);
      return key;
    },
    async tidy() {
      const known = (await all()).map(({ kid }) => kid);
      for (const kid of made) if (!known.includes(kid)) files.remove(kid);
    },
  };
}
