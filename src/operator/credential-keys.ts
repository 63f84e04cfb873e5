import { activeKey, issuerKeyState, NEXT_KEY_MS } from '../domain/credential/issuer-keys.ts';
import type { SigningKey } from '../domain/credential/signing.ts';
import { iso } from '../lib/clock.ts';
import type { AddedKey, StoredKey } from '../storage/credential-keys.ts';
import type { Job } from '../storage/engine/jobs.ts';
import { type Act, type PlannedAct, type RefusedAct, unchanged } from './act.ts';

/** What changes the keys that sign credentials, with the key that signs because of it, if one does. */
export interface PlannedKey extends PlannedAct {
  readonly key: Pick<AddedKey, 'kid' | 'activeFrom'> | null;
}

/** What an act on keys may need besides those that are known. */
export interface KeyMaking {
  /** Makes a key and keeps its private half. */
  readonly make: () => SigningKey;
  /** Whether the settings name a key of the operator's own. */
  readonly hasOwnKey: boolean;
}

const REPLACE_OWN =
  'put another key where SERVICE_SIGNING_KEY or SERVICE_SIGNING_KEY_FILE gives yours, then restart or reload the service';

/** Plans to have another key sign: one that is published now and signs when everybody can know it, or, at once, the one to come. */
export function rotateCredentialKey(
  keys: readonly StoredKey[],
  { make, hasOwnKey }: KeyMaking,
  { atOnce }: { readonly atOnce: boolean },
  act: Act,
): PlannedKey | RefusedAct {
  const active = activeKey(keys, act.now);
  if (active === undefined)
    return {
      refused: 'no key signs yet: the server makes one when it starts with an https:// SERVICE_BASE_URL',
    };
  if (hasOwnKey) return { refused: `a key of your own signs: ${REPLACE_OWN}` };
  const next = nextKey(keys, act.now);
  if (next && !atOnce)
    return {
      ...unchanged(`${next.kid} signs from ${iso(next.activeFrom)} on; --now has it sign at once`),
      key: next,
    };
  const added = addOf(next ?? make(), act.now + (atOnce ? 0 : NEXT_KEY_MS), act);
  return {
    jobs: [added],
    key: added.input,
    notices: atOnce && next === undefined ? [UNKNOWN_FOR_AN_HOUR] : [],
  };
}

/** Plans to have a key, and all that it has signed, not trusted any more. Another one signs at once, if it was to sign. */
export function revokeCredentialKey(
  keys: readonly StoredKey[],
  { make, hasOwnKey }: KeyMaking,
  kid: string,
  act: Act,
): PlannedKey | RefusedAct {
  const key = keys.find((each) => each.kid === kid);
  if (key === undefined) return { refused: 'there is no such key: redoubt keys list' };
  if (key.revokedAt !== null) return { ...unchanged(`it is revoked since ${iso(key.revokedAt)}`), key: null };
  const { now, ...by } = act;
  const revoke = { name: 'revokeCredentialKey', input: { kid, now, by } } as const;
  const notices = [
    'whoever keeps the published keys without asking anew goes on trusting it: tell them, credentials expire only in time',
  ];
  if (issuerKeyState(key, keys, now) !== 'active') return { jobs: [revoke], notices, key: null };
  const next = nextKey(keys, now);
  const added = addOf(next ?? make(), now, act);
  if (next === undefined) notices.push(UNKNOWN_FOR_AN_HOUR);
  if (hasOwnKey) notices.push(`${REPLACE_OWN}; until then it signs with a key that it has made`);
  return { jobs: [revoke, added], notices, key: added.input };
}

const UNKNOWN_FOR_AN_HOUR =
  'verifiers that keep the published keys for a while learn of the new one within an hour';

/** The one that is to sign first of those that do not yet. */
const nextKey = (keys: readonly StoredKey[], nowMs: number): StoredKey | undefined =>
  keys
    .filter((key) => issuerKeyState(key, keys, nowMs) === 'next')
    .sort((a, b) => a.activeFrom - b.activeFrom)[0];

const addOf = (
  { kid, jwk }: Pick<SigningKey, 'kid' | 'jwk'>,
  activeFrom: number,
  { now, ...by }: Act,
): Extract<Job, { name: 'addCredentialKey' }> => ({
  name: 'addCredentialKey',
  input: { kid, jwk, activeFrom, now, by },
});
