import {
  activeKey,
  type IssuerKeyFacts,
  issuerKeyState,
  NEXT_KEY_MS,
} from '../domain/credential/issuer-keys.ts';
import { iso } from '../lib/clock.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import { type Act, type PlannedAct, type RefusedAct, unchanged } from './act.ts';

/** What changes the keys of a purpose, with the key that signs because of it, if one does. */
export interface PlannedKey extends PlannedAct {
  readonly key: Pick<IssuerKeyFacts, 'kid' | 'activeFrom'> | null;
}

/** What an act on keys may need in addition to the known keys. */
export interface KeyMaking<Key> {
  /** Makes a key and keeps its private half. */
  readonly make: () => Key;
  /** Whether the settings name a key of the operator's own. */
  readonly hasOwnKey: boolean;
}

/** What is particular to the keys of a purpose. */
export interface KeyTerms<Key> {
  readonly add: (key: Key, activeFrom: number, act: Act) => Job;
  readonly revoke: (kid: string, act: Act) => Job;
  /** Why no key signs. */
  readonly none: string;
  /** What the operator should know of a key that was revoked. */
  readonly revoked: string;
}

const REPLACE_OWN =
  'replace the key in SERVICE_SIGNING_KEY or SERVICE_SIGNING_KEY_FILE, then restart or reload the service';
const UNKNOWN_FOR_AN_HOUR = 'verifiers that cache the published keys learn of the new one within an hour';

/**
 * Plans to rotate a key: the new one is published now and signs when all caches can know it, or the next one signs immediately.
 */
export function rotateKeys<Key extends { readonly kid: string }, Stored extends Key & IssuerKeyFacts>(
  { add, none }: KeyTerms<Key>,
  keys: readonly Stored[],
  { make, hasOwnKey }: KeyMaking<Key>,
  { atOnce }: { readonly atOnce: boolean },
  act: Act,
): PlannedKey | RefusedAct {
  const active = activeKey(keys, act.now);
  if (active === undefined) return { refused: none };
  if (hasOwnKey) return { refused: `your own key signs. To rotate it, ${REPLACE_OWN}` };
  const next = nextKey(keys, act.now);
  if (next && !atOnce)
    return {
      ...unchanged(
        `${next.kid} already signs from ${iso(next.activeFrom)}. Use --now to let it sign at once`,
      ),
      key: next,
    };
  const activeFrom = act.now + (atOnce ? 0 : NEXT_KEY_MS);
  const key = next ?? make();
  return {
    jobs: [add(key, activeFrom, act)],
    key: { kid: key.kid, activeFrom },
    notices: atOnce && next === undefined ? [UNKNOWN_FOR_AN_HOUR] : [],
  };
}

/** Plans to revoke a key and all its signatures. A scheduled key signs immediately. */
export function revokeKey<Key extends { readonly kid: string }, Stored extends Key & IssuerKeyFacts>(
  { add, revoke, revoked }: KeyTerms<Key>,
  keys: readonly Stored[],
  { make, hasOwnKey }: KeyMaking<Key>,
  kid: string,
  act: Act,
): PlannedKey | RefusedAct {
  const key = keys.find((each) => each.kid === kid);
  if (key === undefined) return { refused: 'no such key. List them with redoubt keys list' };
  if (key.revokedAt !== null) return { ...unchanged(`it was revoked at ${iso(key.revokedAt)}`), key: null };
  const notices = [revoked];
  const revocation = revoke(kid, act);
  if (issuerKeyState(key, keys, act.now) !== 'active') return { jobs: [revocation], notices, key: null };
  const next = nextKey(keys, act.now);
  const following = next ?? make();
  if (next === undefined) notices.push(UNKNOWN_FOR_AN_HOUR);
  if (hasOwnKey) notices.push(`${REPLACE_OWN}; until then, the service signs with a key that it created`);
  return {
    jobs: [revocation, add(following, act.now, act)],
    notices,
    key: { kid: following.kid, activeFrom: act.now },
  };
}

/** The one that is to sign first of those that do not yet. */
const nextKey = <Stored extends IssuerKeyFacts>(keys: readonly Stored[], nowMs: number): Stored | undefined =>
  keys
    .filter((key) => issuerKeyState(key, keys, nowMs) === 'next')
    .sort((a, b) => a.activeFrom - b.activeFrom)[0];
