import { VEX_STATUSES } from '../../domain/vulnerability/vex.ts';
import type { FeedTally } from '../feed-tally.ts';
import { latest, momentOf } from './dates.ts';
import {
  bounded,
  entriesIn,
  isObject,
  type JsonObject,
  listIn,
  objectIn,
  RECORD_BOUNDS,
  RecordRefused,
  textOr,
  textsIn,
} from './fields.ts';
import type { RecordReader } from './format.ts';
import { explained, justificationIn, namesIn, purlsIn, VexDocument } from './vex.ts';

const CONTEXT = 'https://openvex.dev/ns';
const NONE = { justification: null, impact: '' };

export const isOpenVex = (document: JsonObject): boolean =>
  textOr(document['@context'], '').startsWith(CONTEXT);

/** Reads documents of OpenVEX 0.0.1 to 0.2.0 (github.com/openvex/spec): a single one, an array, or NDJSON. */
export function openVexReader(tally: FeedTally, source = 'openvex'): RecordReader {
  return {
    layout: 'values',
    record(record) {
      if (!isOpenVex(record)) throw new RecordRefused('is not a document of OpenVEX');
      const at = latest(momentOf(record.timestamp), momentOf(record.last_updated));
      if (at === null) throw new RecordRefused('has no valid date');
      tally.assertNotAhead(at);
      const document = new VexDocument(record['@id'], at);
      const statements = bounded(
        entriesIn(record.statements, 'statements'),
        RECORD_BOUNDS.affected,
        'statements',
      );
      for (const statement of statements) addStatement(statement, document, at, tally);
      if (document.facts.length === 0) tally.skipped += 1;
      else tally.read(at, document.facts);
    },
    finish: () => ({
      source,
      license: 'Of each author',
      attribution: 'VEX documents of the suppliers that wrote them',
      publishedAt: tally.newestAt,
      epssModelVersion: null,
    }),
  };
}

function addStatement(
  statement: JsonObject,
  document: VexDocument,
  documentAt: number,
  tally: FeedTally,
): void {
  const { vulnerability } = statement;
  const names = isObject(vulnerability)
    ? namesIn([vulnerability.name, vulnerability['@id'], ...textsIn(vulnerability.aliases)])
    : namesIn([vulnerability]);
  const status = VEX_STATUSES.find((known) => known === statement.status);
  if (status === undefined) throw new RecordRefused('has a statement without a known status');
  const statedAt = latest(momentOf(statement.timestamp), momentOf(statement.last_updated)) ?? documentAt;
  tally.assertNotAhead(statedAt);
  const why =
    status === 'not_affected'
      ? explained(justificationIn(statement.justification), statement.impact_statement)
      : NONE;
  const products = bounded(listIn(statement.products, 'products'), RECORD_BOUNDS.affected, 'products');
  for (const product of products) {
    const { '@id': id, identifiers } = isObject(product) ? product : { '@id': product };
    for (const purl of purlsIn(id, objectIn(identifiers).purl))
      document.state({ names, purl, version: null, status, ...why, statedAt });
  }
}
