import {
  MEASURE_KINDS,
  MEASURES,
  type MeasureKind,
  type PostureMeasure,
} from '../../domain/posture/measures.ts';
import type { Parts } from '../parts.ts';

/**
 * The latest report of each kind that a license has sent, as its posture is judged by.
 *
 * @param siteId public id of a site, whose own report stands before the one of the whole license
 */
export function latestMeasures(
  { tenantData, identities }: Pick<Parts, 'tenantData' | 'identities'>,
  licenseId: number,
  siteId?: string,
  kinds: readonly MeasureKind[] = MEASURE_KINDS,
): PostureMeasure[] {
  const site = siteId === undefined ? '' : identities.siteIdHash(licenseId, siteId);
  return kinds.flatMap((kind) => {
    const latest = tenantData.signals.latest(licenseId, MEASURES[kind].route, site);
    return latest ? [{ kind, record: latest.record, at: latest.receivedAt }] : [];
  });
}
