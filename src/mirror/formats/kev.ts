import { isCve } from '../../domain/vulnerability/cve.ts';
import type { ExploitedFact } from '../facts.ts';
import { malformed } from '../feed-refused.ts';
import type { FeedTally } from '../feed-tally.ts';
import { latest, momentOf } from './dates.ts';
import { type JsonObject, RecordRefused, textsIn } from './fields.ts';
import type { RecordReader } from './format.ts';

type Catalogue = ExploitedFact['catalogue'];

const TERMS: Readonly<Record<Catalogue, { readonly license: string; readonly attribution: string }>> = {
  cisa: { license: 'CC0-1.0', attribution: 'CISA Known Exploited Vulnerabilities Catalog' },
  enisa: {
    license: 'As the legal notice of ENISA says',
    attribution: 'EU KEV of ENISA and the EU CSIRTs network',
  },
};

export const isKev = (record: JsonObject): boolean =>
  'cveID' in record && ('dateAdded' in record || 'euvdID' in record);

/** Whether an object is CISA's catalogue. */
export const isKevCatalogue = (document: JsonObject): boolean => 'catalogVersion' in document;

/**
 * Reads CISA's catalogue of known exploited vulnerabilities (an object with a list) and ENISA's EU KEV (a list). Skips entries
 * without a CVE, because nothing could match them.
 */
export function kevReader(tally: FeedTally, source: string | undefined): RecordReader {
  let catalogue: Catalogue | undefined;
  let releasedAt: number | null = null;
  let versionAt: number | null = null;
  let announced: unknown;
  return {
    layout: { within: 'vulnerabilities' },
    record(record) {
      const own: Catalogue = 'euvdID' in record ? 'enisa' : 'cisa';
      catalogue ??= own;
      if (own !== catalogue)
        throw new RecordRefused('belongs to another catalogue than the records before it');
      if (record.cveID === null || record.cveID === '') {
        tally.skipped += 1;
        return;
      }
      if (!isCve(record.cveID)) throw new RecordRefused('has no CVE id');
      const since = momentOf(record.dateAdded) ?? momentOf(record.dateReported);
      const at = latest(momentOf(record.dateAdded), momentOf(record.dateReported));
      tally.assertNotAhead(at);
      tally.read(at, [
        { kind: 'exploited', catalogue, cve: record.cveID, since, ransomware: isRansomware(record) },
      ]);
    },
    beside(key, value) {
      if (key === 'dateReleased') releasedAt = releaseOf(value, tally);
      if (key === 'catalogVersion') versionAt = versionDateOf(value, tally);
      if (key === 'count') announced = value;
    },
    finish() {
      if (typeof announced === 'number' && announced !== tally.seen)
        throw malformed('The number of entries in the catalogue differs from its count');
      const own = catalogue ?? 'cisa';
      return {
        source: source ?? `kev:${own}`,
        ...TERMS[own],
        publishedAt: releasedAt ?? versionAt ?? tally.newestAt,
        epssModelVersion: null,
      };
    },
  };
}

/** Parses the release date of the catalogue; null if missing. */
function releaseOf(value: unknown, tally: FeedTally): number | null {
  if (value === undefined || value === null) return null;
  const at = momentOf(value);
  if (at === null) throw malformed('The catalogue has no release date');
  tally.assertFeedNotAhead(at);
  return at;
}

/** CISA's version numbers are dates, such as `2026.11.20`; null for others. */
function versionDateOf(value: unknown, tally: FeedTally): number | null {
  const at = momentOf(String(value).replaceAll('.', '-'));
  tally.assertFeedNotAhead(at);
  return at;
}

const isRansomware = ({ knownRansomwareCampaignUse, exploitationType }: JsonObject): boolean =>
  knownRansomwareCampaignUse === 'Known' ||
  textsIn(Array.isArray(exploitationType) ? exploitationType : [exploitationType]).some(
    (type) => type.toLowerCase() === 'ransomware',
  );
