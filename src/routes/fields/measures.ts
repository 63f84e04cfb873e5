import type { DerivedIdentities } from '../../domain/identity.ts';
import {
  MEASURE_KINDS,
  MEASURES,
  type MeasureKind,
  type PostureMeasure,
} from '../../domain/posture/measures.ts';
import type { TenantReads } from '../../storage/tenant-data.ts';

/**
 * The latest report of each kind that a license has sent, as its posture is judged by.
 *
 * @param siteId public id of a site, whose own report stands before the one of the whole license
 */
export async function latestMeasures(
  { signals }: Pick<TenantReads, 'signals'>,
  identities: DerivedIdentities,
  licenseId: number,
  siteId?: string,
  kinds: readonly MeasureKind[] = MEASURE_KINDS,
): Promise<PostureMeasure[]> {
  const site = siteId === undefined ? '' : identities.siteIdHash(licenseId, siteId);
  const measures: PostureMeasure[] = [];
  for (const kind of kinds) {
    const latest = await signals.latest(licenseId, MEASURES[kind].route, site);
    if (latest) measures.push({ kind, record: latest.record, at: latest.receivedAt });
  }
  return measures;
}
