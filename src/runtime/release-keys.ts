import current from './release-keys/current.pub' with { type: 'text' };
import next from './release-keys/next.pub' with { type: 'text' };

// build.ts replaces this name if other keys are given.
declare const REDOUBT_RELEASE_KEYS: readonly string[] | undefined;

/** Public minisign keys for releases: the current one and its successor. */
export const RELEASE_KEYS =
  typeof REDOUBT_RELEASE_KEYS === 'undefined' ? [current, next] : REDOUBT_RELEASE_KEYS;
