import { type MirrorInUse, mirrorEmpty } from '../../tasks/mirror.ts';

/** What was imported, where nothing can be said without it; throws a Refusal when there is nothing that can be read. */
export function requireMirror(mirror: MirrorInUse | undefined): MirrorInUse {
  if (mirror !== undefined) return mirror;
  throw mirrorEmpty();
}
