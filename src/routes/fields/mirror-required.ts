import { type MirrorInUse, mirrorEmpty } from '../../tasks/mirror.ts';

/** The imported data, where it is required; throws a Refusal when there is none, or it is unreadable. */
export function requireMirror(mirror: MirrorInUse | undefined): MirrorInUse {
  if (mirror !== undefined) return mirror;
  throw mirrorEmpty();
}
