import { refuse } from '../../domain/refusal.ts';
import { HOUR_MS, SECOND_MS } from '../../lib/clock.ts';
import type { MirrorInUse } from '../../tasks/mirror.ts';

/** What was imported, where nothing can be said without it; throws a Refusal when nothing was. */
export function requireMirror(mirror: MirrorInUse | undefined): MirrorInUse {
  if (mirror !== undefined) return mirror;
  throw refuse(
    'MIRROR_EMPTY',
    'The operator of this service has imported no vulnerability data yet.',
    HOUR_MS / SECOND_MS,
  );
}
