import { isCve } from '../../domain/vulnerability/cve.ts';
import { type Ecosystem, normalizeName } from '../../domain/vulnerability/ecosystem.ts';
import {
  type AffectedComponent,
  ALL_UNDECIDED,
  type VersionRange,
  type VulnerabilityRecord,
} from '../../domain/vulnerability/record.ts';
import { versionOrder } from '../../domain/vulnerability/version-order.ts';
import { firstIndex } from '../../lib/first-index.ts';
import type { FeedTally } from '../feed-tally.ts';
import { latest, momentOf } from './dates.ts';
import {
  bounded,
  cwesIn,
  entriesIn,
  idIn,
  isObject,
  type JsonObject,
  objectIn,
  RECORD_BOUNDS,
  RecordRefused,
  referencesIn,
  textOr,
  textsIn,
  vectorsIn,
  versionIn,
} from './fields.ts';
import type { RecordReader } from './format.ts';
import { Notices } from './notices.ts';
import { plainTitle } from './plain-text.ts';
import { isWildcard } from './version-words.ts';

const ECOSYSTEMS = new Map<string, Ecosystem>([
  ['core', 'wordpress-core'],
  ['plugin', 'wordpress-plugin'],
  ['theme', 'wordpress-theme'],
]);
const UNBOUNDED = '*';
/** WordPress, its plugins and its themes use the same order. */
const ORDER = versionOrder('wordpress-core');

/** Whether an object is a record of Wordfence Intelligence. Tests only fields that the smaller scanner feed has as well. */
export const isWordfence = (record: JsonObject): boolean =>
  'id' in record && 'title' in record && 'software' in record;

/** Reads Wordfence Intelligence v3, production or scanner: an object with records by id. */
export function wordfenceReader(tally: FeedTally, source = 'wordfence'): RecordReader {
  const notices = new Notices();
  return {
    layout: 'entries',
    record(record) {
      const id = idIn(record.id);
      notices.note(record.copyrights);
      if (record.informational === true) {
        tally.skipped += 1;
        return;
      }
      const vulnerability = vulnerabilityOf(record, id, source);
      tally.assertNotAhead(vulnerability.modifiedAt);
      tally.read(vulnerability.modifiedAt, [{ kind: 'vulnerability', record: vulnerability }]);
    },
    finish: () => ({
      source,
      license: notices.licenses() || 'Wordfence Intelligence Terms and Conditions, 3.1',
      attribution: notices.notices() || 'Wordfence Intelligence, Defiant Inc.',
      publishedAt: tally.newestAt,
      epssModelVersion: null,
    }),
  };
}

function vulnerabilityOf(record: JsonObject, id: string, source: string): VulnerabilityRecord {
  const title = plainTitle(textOr(record.title, ''));
  if (title === '') throw new RecordRefused('has no title');
  const software = bounded(
    entriesIn(record.software, 'pieces of software'),
    RECORD_BOUNDS.affected,
    'pieces of software',
  );
  const affected = software.flatMap(componentOf);
  if (affected.length === 0) throw new RecordRefused('names no software that can be matched');
  const publishedAt = momentOf(record.published);
  const weakness = objectIn(record.cwe).id;
  return {
    source,
    id,
    aliases: isCve(record.cve) ? [record.cve] : [],
    upstream: [],
    title,
    severity: vectorsIn([objectIn(record.cvss).vector]),
    cwe: cwesIn([`CWE-${weakness}`]),
    publishedAt,
    modifiedAt: latest(momentOf(record.updated), publishedAt),
    references: referencesIn(textsIn(record.references)),
    hasPublicExploit: false,
    affected,
  };
}

/** Empty if the slug is not a valid component name, because no query could match it. */
function componentOf(software: JsonObject): AffectedComponent[] {
  const ecosystem = ECOSYSTEMS.get(textOr(software.type, '').toLowerCase());
  const name = ecosystem === undefined ? undefined : normalizeName(ecosystem, textOr(software.slug, ''));
  if (ecosystem === undefined || name === undefined) return [];
  const versions = Object.values(objectIn(software.affected_versions));
  if (versions.length === 0) throw new RecordRefused('does not specify affected versions');
  const runs = bounded(versions, RECORD_BOUNDS.ranges, 'ranges of a component');
  const patched = software.patched === false ? [] : textsIn(software.patched_versions);
  const fixes = sorted(bounded(patched, RECORD_BOUNDS.ranges, 'patched versions').map(versionIn));
  return [{ ecosystem, name, versions: [], ranges: runs.map((run) => rangeOf(run, fixes)) }];
}

function rangeOf(run: unknown, fixes: readonly string[]): VersionRange {
  if (!isObject(run)) throw new RecordRefused('has a range that is not an object');
  const [from, to] = [boundOf(run.from_version), boundOf(run.to_version)];
  const [fromInclusive, toInclusive] = [inclusionIn(run.from_inclusive), inclusionIn(run.to_inclusive)];
  if (from !== null && to !== null && isEmpty(ORDER.compare(from, to), fromInclusive && toInclusive))
    return ALL_UNDECIDED;
  if (isWildcard(from ?? '') || isWildcard(to ?? '')) return ALL_UNDECIDED;
  return {
    from,
    fromInclusive,
    to,
    toInclusive: to !== null && toInclusive,
    fixed: to === null ? null : fixOf(to, toInclusive, fixes),
  };
}

/** Empty ranges are mistakes of the source. */
const isEmpty = (difference = 0, isPoint: boolean): boolean =>
  difference > 0 || (difference === 0 && !isPoint);

function boundOf(version: unknown): string | null {
  const text = versionIn(version);
  if (text === '') throw new RecordRefused('has a range without a bound');
  return text === UNBOUNDED ? null : text;
}

/** Must be explicit: a guess would declare affected versions safe or safe versions affected. */
function inclusionIn(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new RecordRefused('does not specify whether the bounds of a range are inclusive');
}

/** Sorts versions; drops those without an order. */
function sorted(fixes: readonly string[]): readonly string[] {
  return fixes.filter((fix) => ORDER.compare(fix, fix) === 0).sort((a, b) => ORDER.compare(a, b) ?? 0);
}

/** The lowest patched version after the range. Records that cover several branches list the patches of all. */
function fixOf(to: string, toInclusive: boolean, sorted: readonly string[]): string | null {
  const end = ORDER.prepare(to);
  const next = firstIndex(sorted, (fix) => {
    const difference = end.compareTo(fix) ?? 1;
    return difference < 0 || (difference === 0 && !toInclusive);
  });
  return sorted[next] ?? null;
}
