import { type Apportioned, apportion, shareFromPercent, spreadPercent } from '../event/apportion.ts';
import { type KeyEntry, ROTATION_POLICIES, SCOPE_BREADTHS, STORAGE_CLASSES } from './vocabulary.ts';
import {
  EPHEMERAL_STORAGE_PERCENT,
  KEY_HYGIENE_FACTORS,
  KEY_HYGIENE_WEIGHTS,
  KEY_KIND_REACH_PERCENT,
  type KeyHygieneFactorId,
  TAKEOVER_PATH_FROM,
} from './weights.ts';

interface KeyHygieneFactor {
  readonly id: KeyHygieneFactorId;
  /** In millionths of what the factors before this one left. */
  readonly share: number;
  /** Number of keys that add to the factor. */
  readonly affectedKeys: number;
}

/** What one factor takes for one key, in percent, before the key's kind is considered. */
const SHARE_PERCENT: Readonly<Record<KeyHygieneFactorId, (key: KeyEntry) => number>> = {
  public_exposure: (key) => (key.publiclyExposed ? KEY_HYGIENE_WEIGHTS.public_exposure.sharePercent : 0),
  takeover_path: (key) => (isTakeoverPath(key) ? KEY_HYGIENE_WEIGHTS.takeover_path.sharePercent : 0),
  weak_storage: (key) =>
    KEY_HYGIENE_WEIGHTS.weak_storage.sharePercent[key.storageClass] *
    (key.rotationPolicy === 'ephemeral' ? EPHEMERAL_STORAGE_PERCENT / 100 : 1),
  broad_scope: (key) => KEY_HYGIENE_WEIGHTS.broad_scope.sharePercent[key.scopeBreadth],
  weak_rotation: (key) => KEY_HYGIENE_WEIGHTS.weak_rotation.sharePercent[key.rotationPolicy],
  key_age: (key) => KEY_HYGIENE_WEIGHTS.key_age.sharePercent[key.ageBucket],
  dormant_keys: (key) => KEY_HYGIENE_WEIGHTS.dormant_keys.sharePercent[key.lastUseBucket],
};

function isTakeoverPath(key: KeyEntry): boolean {
  return (
    isFrom(SCOPE_BREADTHS, key.scopeBreadth, TAKEOVER_PATH_FROM.scopeBreadth) &&
    isFrom(ROTATION_POLICIES, key.rotationPolicy, TAKEOVER_PATH_FROM.rotationPolicy) &&
    (key.publiclyExposed || isFrom(STORAGE_CLASSES, key.storageClass, TAKEOVER_PATH_FROM.storageClass))
  );
}

function isFrom<Value extends string>(bestToWorst: readonly Value[], value: Value, from: Value): boolean {
  return bestToWorst.indexOf(value) >= bestToWorst.indexOf(from);
}

/** Whether the factor takes anything on account of this key. */
export function isAffected(key: KeyEntry, id: KeyHygieneFactorId): boolean {
  return SHARE_PERCENT[id](key) > 0;
}

/**
 * The factor's share for the whole fleet. Keys are ranked worst first; the worst counts in full and each
 * doubling of the keys ranked so far lets the next ones add a little. A sum of ranked values with weights
 * that are never negative cannot fall when any one value rises or when a key is added.
 */
function weigh(keys: readonly KeyEntry[], id: KeyHygieneFactorId): KeyHygieneFactor {
  const { doublingPercent, maxPercent } = KEY_HYGIENE_WEIGHTS[id];
  const ranked = keys
    .filter((key) => isAffected(key, id))
    .map((key) => ({
      shareBasisPoints: SHARE_PERCENT[id](key) * KEY_KIND_REACH_PERCENT[key.kind],
      count: key.count,
    }))
    .sort((a, b) => b.shareBasisPoints - a.shareBasisPoints);
  let share = 0;
  let affectedKeys = 0;
  let spread = 0;
  for (const { shareBasisPoints, count } of ranked) {
    affectedKeys += count;
    const spreadSoFar = spread;
    spread = spreadPercent(affectedKeys, doublingPercent);
    share += shareBasisPoints * (spread - spreadSoFar);
  }
  return { id, share: Math.min(share, shareFromPercent(maxPercent)), affectedKeys };
}

/** Scores a fleet. Its order, and how equal keys are grouped into entries, make no difference. */
export function scoreKeyHygiene(keys: readonly KeyEntry[]): Apportioned<KeyHygieneFactor> {
  return apportion(
    KEY_HYGIENE_FACTORS.map((id) => weigh(keys, id)).filter((factor) => factor.affectedKeys > 0),
  );
}
