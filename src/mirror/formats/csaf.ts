import type { VexStatus } from '../../domain/vulnerability/vex.ts';
import type { FeedTally } from '../feed-tally.ts';
import { type CsafProduct, productsIn } from './csaf-products.ts';
import { momentOf } from './dates.ts';
import {
  bounded,
  entriesIn,
  type JsonObject,
  listIn,
  objectIn,
  objectsIn,
  RECORD_BOUNDS,
  RecordRefused,
  textsIn,
} from './fields.ts';
import type { RecordReader } from './format.ts';
import { explained, justificationIn, namesIn, VexDocument } from './vex.ts';

const STATUSES = new Map<string, VexStatus>([
  ['known_not_affected', 'not_affected'],
  ['known_affected', 'affected'],
  ['first_affected', 'affected'],
  ['last_affected', 'affected'],
  ['fixed', 'fixed'],
  ['first_fixed', 'fixed'],
  ['under_investigation', 'under_investigation'],
]);
const NONE = { justification: null, impact: '' };

/** Whether an object with this entry is a CSAF document. */
export const isCsafEntry = (key: string, value: unknown): boolean =>
  key === 'document' && 'csaf_version' in objectIn(value);

export const isCsaf = ({ document }: JsonObject): boolean => isCsafEntry('document', document);

/** Reads documents of CSAF 2.0 (OASIS Standard, 18 November 2022) with the VEX profile: a single one, an array, or NDJSON. */
export function csafReader(tally: FeedTally, source = 'csaf'): RecordReader {
  return {
    layout: 'values',
    record(record) {
      const { category, csaf_version: version, tracking } = objectIn(record.document);
      if (version !== '2.0') throw new RecordRefused('is not a document of CSAF 2.0');
      if (category !== 'csaf_vex') throw new RecordRefused('is not of the category csaf_vex');
      const { id, current_release_date, status } = objectIn(tracking);
      const at = momentOf(current_release_date);
      if (at === null) throw new RecordRefused('has no valid release date');
      if (status === 'draft') throw new RecordRefused('is a draft');
      tally.assertNotAhead(at);
      const document = new VexDocument(id, at);
      const { products, groups } = productsIn(objectIn(record.product_tree));
      const found = entriesIn(record.vulnerabilities, 'vulnerabilities');
      for (const vulnerability of bounded(found, RECORD_BOUNDS.affected, 'vulnerabilities'))
        addStatements(vulnerability, { document, at, products, groups });
      if (document.facts.length === 0) tally.skipped += 1;
      else tally.read(at, document.facts);
    },
    finish: () => ({
      source,
      license: 'Of each publisher',
      attribution: 'VEX documents of the suppliers that published them',
      publishedAt: tally.newestAt,
      epssModelVersion: null,
    }),
  };
}

interface Whole {
  readonly document: VexDocument;
  readonly at: number;
  readonly products: ReadonlyMap<string, CsafProduct>;
  /** Product ids by group id. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

function addStatements(vulnerability: JsonObject, { document, at, products, groups }: Whole): void {
  const names = namesIn([vulnerability.cve, ...objectsIn(vulnerability.ids).map(({ text }) => text)]);
  const statuses = statusesIn(objectIn(vulnerability.product_status));
  const inGroups = (entry: JsonObject) => {
    const ids = textsIn(entry.group_ids).flatMap((id) => groups.get(id) ?? []);
    document.countGrouped(ids.length);
    return ids;
  };
  const labels = reasonsIn(entriesIn(vulnerability.flags, 'flags'), inGroups, ({ label }) => label);
  const impacts = entriesIn(vulnerability.threats, 'threats').filter(({ category }) => category === 'impact');
  const details = reasonsIn(impacts, inGroups, ({ details }) => details);
  for (const [id, status] of statuses) {
    const product = products.get(id);
    if (product === undefined || (product.isPart && status === 'not_affected')) continue;
    const why = status === 'not_affected' ? explained(justificationIn(labels(id)), details(id)) : NONE;
    for (const purl of product.purls)
      document.state({ names, purl, version: product.version, status, ...why, statedAt: at });
  }
}

/** The status of each product. Refuses a product with two different statuses as unreliable. */
function statusesIn(productStatus: JsonObject): ReadonlyMap<string, VexStatus> {
  const found = new Map<string, VexStatus>();
  for (const [name, status] of STATUSES) {
    const ids = listIn(productStatus[name], 'products of a status');
    for (const id of textsIn(bounded(ids, RECORD_BOUNDS.versions, 'products of a status'))) {
      if ((found.get(id) ?? status) !== status)
        throw new RecordRefused('gives a product two statuses of one vulnerability');
      found.set(id, status);
    }
  }
  return found;
}

/** Returns a lookup of the entries' values by product id; an entry without products or groups applies to all. */
function reasonsIn(
  entries: readonly JsonObject[],
  inGroups: (entry: JsonObject) => readonly string[],
  reasonOf: (entry: JsonObject) => unknown,
): (id: string) => unknown {
  const byProduct = new Map<string, unknown>();
  let general: unknown;
  for (const entry of bounded(entries, RECORD_BOUNDS.ranges, 'flags or threats')) {
    const ids = [...textsIn(entry.product_ids), ...inGroups(entry)];
    if (entry.group_ids === undefined && entry.product_ids === undefined) general = reasonOf(entry);
    for (const id of ids) byProduct.set(id, reasonOf(entry));
  }
  return (id) => byProduct.get(id) ?? general;
}
