import type { DerivedIdentities } from '../../domain/identity.ts';
import { MEASURE_KINDS, type MeasureKind, type PostureMeasure } from '../../domain/posture/measures.ts';
import type { SignalReads } from '../signals/signals.ts';

/** The routes of reports, relative to the base of the contract; reports are stored under these. */
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
 * The latest report of each kind of a license, for its posture.
 *
 * @param siteId public id of a site, whose report has priority over the one of the whole license
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
