import type { Ed25519Key } from '../domain/signing/ed25519-key.ts';
import { type KeyPurpose, PURPOSES } from '../domain/signing/purposes.ts';
import type { StoredSigningKey } from '../storage/signing/signing-keys.ts';
import type { Act, RefusedAct } from './act.ts';
import { type KeyMaking, type KeyTerms, type PlannedKey, revokeKey, rotateKeys } from './key-rotation.ts';

type Key = Pick<Ed25519Key, 'kid' | 'publicKey'>;

const termsOf = (purpose: KeyPurpose): KeyTerms<Key> => ({
  add: ({ kid, publicKey }, activeFrom, { now, ...by }) => ({
    name: 'addSigningKey',
    input: { kid, purpose, publicKey, activeFrom, now, by },
  }),
  revoke: (kid, { now, ...by }) => ({ name: 'revokeSigningKey', input: { kid, now, by } }),
  none: `no key signs ${PURPOSES[purpose].signs} yet. The server creates one when it starts`,
  revoked: `verifiers that cache the published keys without refreshing them still trust it. Notify them, and send them /.well-known/redoubt-keys`,
});

/**
 * See {@link rotateKeys}, of the keys of a purpose.
 *
 * @param keys those of that purpose
 */
export const rotateSigningKey = (
  purpose: KeyPurpose,
  keys: readonly StoredSigningKey[],
  making: Pick<KeyMaking<Key>, 'make'>,
  options: { readonly atOnce: boolean },
  act: Act,
): PlannedKey | RefusedAct =>
  rotateKeys(termsOf(purpose), keys, { ...making, hasOwnKey: false }, options, act);

/**
 * See {@link revokeKey}, of the keys of a purpose.
 *
 * @param keys those of that purpose
 */
export const revokeSigningKey = (
  purpose: KeyPurpose,
  keys: readonly StoredSigningKey[],
  making: Pick<KeyMaking<Key>, 'make'>,
  kid: string,
  act: Act,
): PlannedKey | RefusedAct => revokeKey(termsOf(purpose), keys, { ...making, hasOwnKey: false }, kid, act);
