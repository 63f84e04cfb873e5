import type { AffectedComponent, VulnerabilityRecord } from '../../domain/vulnerability/record.ts';

/** The JSON part of a row of `records`: fields without a column. */
export type RecordBody = Pick<
  VulnerabilityRecord,
  'title' | 'severity' | 'cwe' | 'publishedAt' | 'references' | 'hasPublicExploit'
>;

/** The JSON part of a row of `affected`. */
export type AffectedBody = Pick<AffectedComponent, 'versions' | 'ranges'>;
