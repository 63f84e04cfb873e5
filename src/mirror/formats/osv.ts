import { type Ecosystem, ecosystemsOfOsv, normalizeName } from '../../domain/vulnerability/ecosystem.ts';
import { type OsvEvent, rangesOfEvents } from '../../domain/vulnerability/ranges.ts';
import {
  type AffectedComponent,
  ALL_UNDECIDED,
  type VulnerabilityRecord,
} from '../../domain/vulnerability/record.ts';
import { versionOrder } from '../../domain/vulnerability/version-order.ts';
import type { FeedTally } from '../feed-tally.ts';
import { momentOf } from './dates.ts';
import {
  bounded,
  cwesIn,
  entriesIn,
  idIn,
  idsIn,
  isObject,
  type JsonObject,
  listIn,
  objectIn,
  objectsIn,
  RECORD_BOUNDS,
  RecordRefused,
  referencesIn,
  textOr,
  vectorsIn,
  versionIn,
} from './fields.ts';
import type { RecordReader } from './format.ts';
import { plainTitle } from './plain-text.ts';
import { SourceGuess } from './source-guess.ts';
import { isWildcard } from './version-words.ts';

const EVENTS_MAX = 2 * RECORD_BOUNDS.ranges;
const EVENT_KINDS = ['introduced', 'fixed', 'last_affected', 'limit'] as const;

/** Whether an object is an OSV record: tests the required fields, except the schema version, which older records lack. */
export const isOsv = (record: JsonObject): boolean => 'id' in record && 'modified' in record;

/**
 * Reads records of the OSV schema 1.x (ossf.github.io/osv-schema): a single one, an array, or NDJSON. Ignores unknown fields and
 * minor versions, as the schema requires.
 *
 * @param source name set by the operator; undefined = named after the ecosystem of the first records
 */
export function osvReader(tally: FeedTally, source: string | undefined): RecordReader {
  const guess = new SourceGuess(source);
  return {
    layout: 'values',
    record(record) {
      const id = idIn(record.id);
      const modifiedAt = momentOf(record.modified);
      if (modifiedAt === null) throw new RecordRefused('has no modification date');
      tally.assertNotAhead(modifiedAt);
      const packages = entriesIn(record.affected, 'affected packages');
      const entries = bounded(packages, RECORD_BOUNDS.affected, 'affected packages');
      const ecosystems = entries.flatMap(ecosystemsIn);
      if (isWithdrawn(record, tally) && (ecosystems.length > 0 || entries.length === 0)) {
        guess.add(ecosystems, (named) => tally.withdraw(named, id, modifiedAt));
        return;
      }
      const affected = bounded(entries.flatMap(componentsOf), RECORD_BOUNDS.affected, 'affected packages');
      if (affected.length === 0) {
        tally.skipped += 1;
        return;
      }
      const vulnerability = vulnerabilityOf(record, id, modifiedAt, affected);
      guess.add(ecosystems, (named) =>
        tally.read(modifiedAt, [{ kind: 'vulnerability', record: { source: named, ...vulnerability } }]),
      );
    },
    finish: () => ({
      source: guess.finish(),
      license: 'Of each home database; GitHub advisories: CC-BY-4.0',
      attribution: 'OSV.dev and the home database that the id names, https://osv.dev',
      publishedAt: tally.newestAt,
      epssModelVersion: null,
    }),
  };
}

/** Malformed dates are refused: a guess would wrongly remove or keep the record. */
function isWithdrawn({ withdrawn }: JsonObject, tally: FeedTally): boolean {
  if (withdrawn === undefined || withdrawn === null || withdrawn === '') return false;
  const at = momentOf(withdrawn);
  if (at === null) throw new RecordRefused('has no valid withdrawal date');
  tally.assertNotAhead(at);
  return true;
}

function vulnerabilityOf(
  record: JsonObject,
  id: string,
  modifiedAt: number,
  affected: readonly AffectedComponent[],
): Omit<VulnerabilityRecord, 'source'> {
  const references = objectsIn(record.references);
  const severities = [record, ...objectsIn(record.affected)].flatMap(({ severity }) => objectsIn(severity));
  const cwes = objectIn(record.database_specific).cwe_ids;
  return {
    id,
    aliases: idsIn(record.aliases),
    upstream: idsIn(record.upstream),
    title: plainTitle(textOr(record.summary, '')) || plainTitle(firstLine(textOr(record.details, ''))) || id,
    severity: vectorsIn(severities.map(({ score }) => score)),
    cwe: cwesIn(Array.isArray(cwes) ? cwes : []),
    publishedAt: momentOf(record.published),
    modifiedAt,
    references: referencesIn(references.map(({ url }) => url)),
    hasPublicExploit: references.some(({ type }) => type === 'EVIDENCE'),
    affected,
  };
}

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';

/** The supported ecosystems of the package. */
function ecosystemsIn(entry: JsonObject): readonly Ecosystem[] {
  const { ecosystem, name, purl } = objectIn(entry.package);
  if (typeof ecosystem !== 'string' || typeof name !== 'string') return [];
  return ecosystemsOfOsv({ ecosystem, name, ...(typeof purl === 'string' && { purl }) });
}

/** The components of one entry in supported ecosystems. Without versions, or with commits only, all versions are undecided. */
function componentsOf(entry: JsonObject): AffectedComponent[] {
  const ecosystems = ecosystemsIn(entry);
  if (ecosystems.length === 0) return [];
  const name = textOr(objectIn(entry.package).name, '');
  const versions = bounded(
    listIn(entry.versions, 'versions'),
    RECORD_BOUNDS.versions,
    'versions of a package',
  ).map(versionIn);
  const listed = entriesIn(entry.ranges, 'ranges').filter((range) => typeOf(range) !== 'GIT');
  const events = listed.map(eventsOf);
  const isSilent = versions.length === 0 && listed.length === 0;
  const isUndecided = isSilent || events.flat().some(hasWildcard);
  bounded(events.flat(), EVENTS_MAX, 'events of a package');
  return ecosystems.flatMap((known) => {
    const normal = normalizeName(known, name);
    if (normal === undefined) return [];
    const order = versionOrder(known);
    const ranges = bounded(
      events.flatMap((some) => rangesOfEvents(some, order)),
      RECORD_BOUNDS.ranges,
      'ranges of a package',
    );
    return [{ ecosystem: known, name: normal, versions, ranges: isUndecided ? [ALL_UNDECIDED] : ranges }];
  });
}

/** Whether a bound is a wildcard, such as `1.x`, which tools interpret differently. */
const hasWildcard = (event: OsvEvent): boolean => Object.values(event).some(isWildcard);

const RANGE_TYPES = ['SEMVER', 'ECOSYSTEM', 'GIT'] as const;

function typeOf({ type }: JsonObject): (typeof RANGE_TYPES)[number] {
  const known = RANGE_TYPES.find((name) => name === textOr(type, '').toUpperCase());
  if (known === undefined) throw new RecordRefused('has a range of unknown type');
  return known;
}

function eventsOf(range: JsonObject): OsvEvent[] {
  const events: OsvEvent[] = listIn(range.events, 'events').map((event) => {
    const [kind, other] = isObject(event) ? EVENT_KINDS.filter((name) => name in event) : [];
    if (kind === undefined || other !== undefined || !isObject(event))
      throw new RecordRefused('has an event without exactly one known kind');
    return { [kind]: versionIn(event[kind]) };
  });
  if (events.some((event) => 'introduced' in event)) return events;
  throw new RecordRefused('has a range without a start');
}
