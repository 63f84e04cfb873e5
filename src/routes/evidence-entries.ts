import { type Static, Type as t } from '@sinclair/typebox';
import { EVIDENCE_TYPES } from '../domain/evidence/entry.ts';
import { proofText } from '../domain/evidence/tlog-proof.ts';
import { notRefused, refuse } from '../domain/refusal.ts';
import { BARE, closed, nullable, show, textBody, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { oneOf } from '../http/fields.ts';
import { bearerRoute, pathParameter, queryOf, shared } from '../http/route/index.ts';
import type { EvidenceEntry } from '../storage/evidence/evidence.ts';
import { searchEvidence } from '../storage/evidence/evidence-search.ts';
import { EXAMPLE_NOTE, EXAMPLE_ROOT, textAnswer } from './evidence.ts';
import { currentLog, noEvidence } from './fields/evidence-log.ts';
import { PAGE, PAGE_DEFAULT } from './fields/page-query.ts';
import { readSpan, SPAN } from './fields/query-moment.ts';
import { SiteId } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

const LIST = 'evidence';
/** Pages of long entries contain fewer of them. */
const PAGE_CHARACTERS = 1_024 * 1_024;

const EntryQuery = closed({
  type: t.Optional(oneOf(EVIDENCE_TYPES, 'entry type', 'EvidenceType')),
  site: t.Optional(SiteId),
  ...SPAN('entries written'),
  ...PAGE('entries'),
});

export const EntryList = typed('EvidenceEntryList', {
  entries: t.Array(
    typed('EvidenceEntry', {
      index: t.Integer({ minimum: 0, description: 'index in the log' }),
      entry: nullable(t.String({ description: 'exact JSON text, to be hashed unchanged; null if deleted' })),
      forgotten: t.Boolean({
        description: 'whether the text was deleted after its retention period; the hash remains',
      }),
      leaf_hash: t.String({ description: 'SHA-256 of a zero byte and the text, base64url' }),
    }),
    { description: 'entries of this page, oldest first' },
  ),
  next_cursor: nullable(t.String({ description: 'cursor of the next page; null on the last page' })),
});
const EXAMPLE_ENTRY =
  '{"v":1,"type":"license_changed","at":"2026-11-22T09:30:00.000Z","nonce":"l3ZkYyNTb1tX0pGkqkq2VQ","site_id":null,"data":{"change":"issue"}}';
const EXAMPLE = {
  entries: [{ index: 0, entry: EXAMPLE_ENTRY, forgotten: false, leaf_hash: EXAMPLE_ROOT }],
  next_cursor: null,
};

const Size = (description: string) =>
  t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const ConsistencyQuery = closed({
  first: Size('size of the earlier checkpoint'),
  second: Size('size of the later checkpoint'),
});
const Consistency = typed('EvidenceConsistency', {
  first: t.Integer({ minimum: 0, description: 'earlier size' }),
  second: t.Integer({ minimum: 0, description: 'later size' }),
  hashes: t.Array(t.String(), { description: 'consistency proof (RFC 9162, 2.1.4), base64url' }),
});

const INDEX = pathParameter('index', '`index` of the entry', { type: 'integer', minimum: 0 });
const INDEX_FORM = /^(0|[1-9]\d{0,14})$/;

const evidenceEntriesOf = shared((parts: Parts<'evidenceDesk' | 'identities' | 'tenantData'>) => {
  const { tenantData, identities, evidenceDesk } = parts;
  const reads = tenantData.evidence;

  const page = async (licenseId: number, query: Static<typeof EntryQuery>) => {
    const { type = null, site = null, limit = PAGE_DEFAULT, cursor } = query;
    const { since, until } = readSpan(query);
    const cursorKey = identities.cursorKey(licenseId, LIST);
    const begin = cursor === undefined ? 0 : decodeCursor(cursorKey, cursor);
    const log = await reads.current(licenseId);
    if (log === undefined) return { entries: [], next_cursor: null };
    const wanted = { logId: log.id, from: begin, to: log.size, type, site, since, until, limit };
    let { positions, next } = await searchEvidence(reads, wanted);
    const found: EvidenceEntry[] = [];
    let characters = 0;
    for (const position of positions) {
      if (characters > PAGE_CHARACTERS) {
        next = position;
        break;
      }
      const [entry] = await reads.entries(log.id, position, position + 1);
      if (entry !== undefined) found.push(entry);
      characters += entry?.entry?.length ?? 0;
    }
    return {
      entries: found.map(({ position, entry, hash }) => ({
        index: position,
        entry,
        forgotten: entry === null,
        leaf_hash: hash,
      })),
      next_cursor: next < log.size ? encodeCursor(cursorKey, next) : null,
    };
  };

  const proof = async (licenseId: number, text: string): Promise<string> => {
    const index = INDEX_FORM.test(text) ? Number(text) : Number.NaN;
    const signed = notRefused(
      Number.isSafeInteger(index) ? await evidenceDesk.covering(licenseId, index) : undefined,
    );
    if (signed === undefined || index >= signed.size) throw noEvidence();
    const { log, size, note } = signed;
    return proofText({ index, hashes: await reads.inclusionProof(log.id, index, size), note });
  };

  const consistency = async (licenseId: number, { first, second }: Static<typeof ConsistencyQuery>) => {
    if (first > second) throw refuse('INVALID_QUERY', 'first: is greater than second');
    const log = await currentLog(parts, licenseId);
    if (second > log.size) throw noEvidence();
    const hashes = await reads.consistencyProof(log.id, first, second);
    return { first, second, hashes: hashes.map((hash) => hash.toString('base64url')) };
  };

  return { page, proof, consistency };
});

/** Operations that list the entries of the evidence log, and prove that the log contains them. */
export const evidenceEntries = [
  bearerRoute({
    at: 'GET /evidence/entries',
    plan: 'pro',
    query: queryOf(EntryQuery),
    tag: TAGS.tenant,
    operationId: 'listEvidence',
    summary: 'List entries of the evidence log',
    description:
      'Oldest first. A page can contain fewer entries than requested, even none: continue until `next_cursor` is null. Returns no entries for sites of other tenants. Requires the plan pro or higher.',
    answer: show(EntryList, EXAMPLE, 'Returns a page of entries.'),
    handle: evidenceEntriesOf(({ page }, { licenseId, query }) => page(licenseId, query)),
  }),
  bearerRoute({
    at: 'GET /evidence/entries/:index/proof',
    plan: 'pro',
    tag: TAGS.tenant,
    operationId: 'getEvidenceProof',
    summary: 'Get an inclusion proof of an entry',
    description:
      'C2SP tlog-proof. Verify it offline with the text of the entry and the key from GET /evidence. If the entry is not yet signed, a checkpoint is created, at most one per second. Requires the plan pro or higher.',
    parameters: [INDEX],
    answer: textBody(
      'text/plain',
      'Returns the proof with its checkpoint.',
      `c2sp.org/tlog-proof@v1\nindex 0\nH4sIAAAAAAAAA0tMTEpOSU1LBwBZq0lFCAAAABwVTxw=\n\n${EXAMPLE_NOTE}`,
    ),
    answers: BARE,
    codes: ['EVIDENCE_NOT_FOUND', 'STORE_UNAVAILABLE'],
    handle: evidenceEntriesOf(async ({ proof }, { licenseId, set, params: { index } }) =>
      textAnswer({ set }, await proof(licenseId, index)),
    ),
  }),
  bearerRoute({
    at: 'GET /evidence/consistency',
    plan: 'pro',
    query: queryOf(ConsistencyQuery, 'refused'),
    tag: TAGS.tenant,
    operationId: 'getEvidenceConsistency',
    summary: 'Get a consistency proof of the evidence log',
    description:
      'Proves that the log was only appended to between two checkpoints of the same origin. Requires the plan pro or higher.',
    answer: show(
      Consistency,
      { first: 41, second: 42, hashes: [EXAMPLE_ROOT] },
      'Returns the proof that the later state extends the earlier one.',
    ),
    codes: ['EVIDENCE_NOT_FOUND'],
    handle: evidenceEntriesOf(({ consistency }, { licenseId, query }) => consistency(licenseId, query)),
  }),
];
