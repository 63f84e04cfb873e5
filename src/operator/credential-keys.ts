import type { SigningKey } from '../domain/credential/signing.ts';
import type { StoredKey } from '../storage/credentials/credential-keys.ts';
import type { Act, RefusedAct } from './act.ts';
import { type KeyMaking, type KeyTerms, type PlannedKey, revokeKey, rotateKeys } from './key-rotation.ts';

type Key = Pick<SigningKey, 'kid' | 'jwk'>;

const TERMS: KeyTerms<Key> = {
  add: ({ kid, jwk }, activeFrom, { now, ...by }) => ({
    name: 'addCredentialKey',
    input: { kid, jwk, activeFrom, now, by },
  }),
  revoke: (kid, { now, ...by }) => ({ name: 'revokeCredentialKey', input: { kid, now, by } }),
  none: 'there is no signing key yet. The server creates one when it starts with an https:// SERVICE_BASE_URL',
  revoked:
    'verifiers that cache the published keys without refreshing them still trust it. Notify them: credentials are only invalid once they expire',
};

/** See {@link rotateKeys}, of the keys that sign credentials. */
export const rotateCredentialKey = (
  keys: readonly StoredKey[],
  making: KeyMaking<Key>,
  options: { readonly atOnce: boolean },
  act: Act,
): PlannedKey | RefusedAct => rotateKeys(TERMS, keys, making, options, act);

/** See {@link revokeKey}, of the keys that sign credentials. */
export const revokeCredentialKey = (
  keys: readonly StoredKey[],
  making: KeyMaking<Key>,
  kid: string,
  act: Act,
): PlannedKey | RefusedAct => revokeKey(TERMS, keys, making, kid, act);
