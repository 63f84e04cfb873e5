import current from './release-keys/current.pub' with { type: 'text' };
import next from './release-keys/next.pub' with { type: 'text' };

// build.ts replaces this name when it is given other keys.
declare const REDOUBT_RELEASE_KEYS: readonly string[] | undefined;

/** The public keys of minisign whose releases are ours: the one in use, and the one that is to follow it. */
export const RELEASE_KEYS =
  typeof REDOUBT_RELEASE_KEYS === 'undefined' ? [current, next] : REDOUBT_RELEASE_KEYS;
