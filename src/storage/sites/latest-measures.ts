import type { DerivedIdentities } from '../../domain/identity.ts';
import { MEASURE_KINDS, type MeasureKind, type PostureMeasure } from '../../domain/posture/measures.ts';
import type { SignalReads } from '../signals/signals.ts';

/** The routes that take reports, below the base of the contract: by these they are kept. */
export const MEASURE_ROUTES: Readonly<Record<MeasureKind, string>> = {
  key_hygiene: '/keyhygiene/signal',
  restore: '/restore/assess',
  digital_immunity: '/digital-immunity/signal',
  saas: '/saas/signal',
  server_guard: '/server-guard/signal',
  pc_guard: '/pc-guard/signal',
  cloud_immunity: '/cloud-immunity/signal',
  decoy: '/canary/trip',
};

/**
 * The latest report of each kind that a license has sent, as its posture is judged by.
 *
 * @param siteId public id of a site, whose own report stands before the one of the whole license
 */
export async function latestMeasures(
  { signals }: { readonly signals: SignalReads },
  identities: DerivedIdentities,
  licenseId: number,
  siteId?: string,
  kinds: readonly MeasureKind[] = MEASURE_KINDS,
): Promise<PostureMeasure[]> {
  const site = siteId === undefined ? '' : identities.siteIdHash(licenseId, siteId);
  const measures: PostureMeasure[] = [];
  for (const kind of kinds) {
    const latest = await signals.latest(licenseId, MEASURE_ROUTES[kind], site);
    if (latest) measures.push({ kind, record: latest.record, at: latest.receivedAt });
  }
  return measures;
}
