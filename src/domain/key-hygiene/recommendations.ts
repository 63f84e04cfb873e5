import { isAffected, scoreKeyHygiene } from './factors.ts';
import type { KeyEntry } from './vocabulary.ts';
import { KEY_HYGIENE_WEIGHTS, type KeyHygieneFactorId } from './weights.ts';

export const KEY_HYGIENE_RECOMMENDATIONS = [
  'revoke_exposed_keys',
  'break_takeover_paths',
  'move_to_secret_manager',
  'narrow_scope',
  'automate_rotation',
  'replace_old_keys',
  'revoke_dormant_keys',
] as const;
export type KeyHygieneRecommendationId = (typeof KEY_HYGIENE_RECOMMENDATIONS)[number];

/** One thing to do. The service only recommends: nothing is ever done to a key. */
export interface KeyHygieneRecommendation {
  readonly id: KeyHygieneRecommendationId;
  /** 1 is to be done first. Ordered by gain. */
  readonly priority: number;
  /** What to do, to how many keys. */
  readonly action: string;
  /** Why, and the source of the practice. */
  readonly reason: string;
  /**
   * Points by which the risk score falls when this alone is followed: the score of the fleet as sent, less
   * the score of the fleet with this done. Integer, 0 to 100. Gains of several recommendations do not add up.
   */
  readonly scoreReduction: number;
}

interface Remedy {
  readonly id: KeyHygieneRecommendationId;
  readonly action: (keys: string) => string;
  /** The effect on one affected key: itself when it stays unchanged, null when it ceases to exist. */
  readonly follow: (key: KeyEntry) => KeyEntry | null;
}

const REMEDIES: Readonly<Record<KeyHygieneFactorId, Remedy>> = {
  public_exposure: {
    id: 'revoke_exposed_keys',
    action: (keys) =>
      `Immediately revoke ${keys} exposed publicly, replace those in use, and search the logs for abuse.`,
    follow: (key) => (isDormant(key) ? null : { ...key, publiclyExposed: false, ageBucket: 'up_to_90d' }),
  },
  takeover_path: {
    id: 'break_takeover_paths',
    action: (keys) =>
      `Replace ${keys} that have a broad scope, weak storage and no rotation. Use narrow keys with automatic ` +
      'rotation.',
    follow: (key) => ({
      ...key,
      scopeBreadth: 'single_service',
      rotationPolicy: 'automatic',
      ageBucket: 'up_to_90d',
    }),
  },
  weak_storage: {
    id: 'move_to_secret_manager',
    action: (keys) => `Move ${keys} to a secret manager or hardware module, with a new key at the same time.`,
    follow: (key) => ({ ...key, storageClass: 'secret_manager', ageBucket: 'up_to_90d' }),
  },
  broad_scope: {
    id: 'narrow_scope',
    action: (keys) => `Restrict ${keys} to the one service and the permissions that the task requires.`,
    follow: (key) => ({ ...key, scopeBreadth: 'single_service' }),
  },
  weak_rotation: {
    id: 'automate_rotation',
    action: (keys) => `Enable automatic rotation for ${keys}, starting with a first replacement.`,
    follow: (key) => ({ ...key, rotationPolicy: 'automatic', ageBucket: 'up_to_90d' }),
  },
  key_age: {
    id: 'replace_old_keys',
    action: (keys) => `Replace ${keys} older than 90 days or of unknown age.`,
    follow: (key) => ({ ...key, ageBucket: 'up_to_90d' }),
  },
  dormant_keys: {
    id: 'revoke_dormant_keys',
    action: (keys) =>
      `Of ${keys}, revoke those unused for more than 45 days; if the last use is unknown, find out ` +
      'first. Exposed keys are handled separately.',
    follow: (key) => {
      if (key.publiclyExposed) return key;
      return isDormant(key) ? null : { ...key, lastUseBucket: 'within_7d' };
    },
  },
};

/** Without its key, what was encrypted is lost (NIST SP 800-57 Part 1 Rev. 5, 8.3: post-operational phase). */
const KEEP_ENCRYPTION_KEYS =
  ' Keep each retired encryption key offline while data encrypted with it is needed.';

/** Every remedy but a narrower scope puts an end to keys. */
function warning(id: KeyHygieneFactorId, keys: readonly KeyEntry[]): string {
  const retires =
    id !== 'broad_scope' && keys.some((key) => key.kind === 'encryption_key' && isAffected(key, id));
  return retires ? KEEP_ENCRYPTION_KEYS : '';
}

/** Revoking what may be in use breaks things: a key of unknown use is taken to prove needed. */
function isDormant(key: KeyEntry): boolean {
  return isAffected(key, 'dormant_keys') && key.lastUseBucket !== 'unknown';
}

/** What to do about each factor, the largest gain first. */
export function recommendForKeys(keys: readonly KeyEntry[]): KeyHygieneRecommendation[] {
  const asSent = scoreKeyHygiene(keys);
  return asSent.factors
    .map(({ id, affectedKeys }) => ({
      id,
      affectedKeys,
      fleetAfter: keys.flatMap((key) => (isAffected(key, id) ? (REMEDIES[id].follow(key) ?? []) : key)),
    }))
    .filter(
      ({ fleetAfter }) => fleetAfter.length < keys.length || fleetAfter.some((key, i) => key !== keys[i]),
    )
    .map(({ id, affectedKeys, fleetAfter }) => ({ id, affectedKeys, after: scoreKeyHygiene(fleetAfter) }))
    .sort((a, b) => b.after.remaining - a.after.remaining)
    .map(({ id, affectedKeys, after }, index) => ({
      id: REMEDIES[id].id,
      priority: index + 1,
      action: REMEDIES[id].action(affectedKeys === 1 ? '1 key' : `${affectedKeys} keys`) + warning(id, keys),
      reason: `${KEY_HYGIENE_WEIGHTS[id].reason} See ${KEY_HYGIENE_WEIGHTS[id].source}.`,
      scoreReduction: asSent.points - after.points,
    }));
}
