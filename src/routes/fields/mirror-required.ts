import { type MirrorInUse, mirrorEmpty } from '../../tasks/mirror.ts';

/** @throws Refusal if no data is imported, or if it is unreadable */
export function requireMirror(mirror: MirrorInUse | undefined): MirrorInUse {
  if (mirror !== undefined) return mirror;
  throw mirrorEmpty();
}
