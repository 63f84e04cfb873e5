import type { AffectedComponent, VulnerabilityRecord } from '../../domain/vulnerability/record.ts';

/** What a row of `records` holds as JSON: what has no column of its own. */
export type RecordBody = Pick<
  VulnerabilityRecord,
  'title' | 'severity' | 'cwe' | 'publishedAt' | 'references' | 'hasPublicExploit'
>;

/** What a row of `affected` holds as JSON. */
export type AffectedBody = Pick<AffectedComponent, 'versions' | 'ranges'>;
