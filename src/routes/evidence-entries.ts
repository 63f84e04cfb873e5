import { type Static, Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { EVIDENCE_TYPES } from '../domain/evidence/entry.ts';
import { proofText } from '../domain/evidence/tlog-proof.ts';
import { isRefusal, refuse } from '../domain/refusal.ts';
import type { HookContext } from '../http/context.ts';
import {
  answers,
  BEARER_CODES,
  bareAnswers,
  closed,
  nullable,
  show,
  success,
  textBody,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { oneOf } from '../http/fields.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { queryParameters, queryReader } from '../http/query.ts';
import type { EvidenceEntry } from '../storage/evidence/evidence.ts';
import { searchEvidence } from '../storage/evidence/evidence-search.ts';
import { EXAMPLE_NOTE, EXAMPLE_ROOT, textAnswer } from './evidence.ts';
import { currentLog, noEvidence } from './fields/evidence-log.ts';
import { PAGE, PAGE_DEFAULT } from './fields/page-query.ts';
import { readSpan, SPAN } from './fields/query-moment.ts';
import { SiteId } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

const LIST = 'evidence';
/** Of long entries a page holds fewer. */
const PAGE_CHARACTERS = 1_024 * 1_024;

const EntryQuery = closed({
  type: t.Optional(oneOf(EVIDENCE_TYPES, 'what entries speak of', 'EvidenceType')),
  site: t.Optional(SiteId),
  ...SPAN('entries that were written'),
  ...PAGE('entries'),
});

export const EntryList = typed('EvidenceEntryList', {
  entries: t.Array(
    typed('EvidenceEntry', {
      index: Type.Integer({ minimum: 0, description: 'its place in the log' }),
      entry: nullable(t.String({ description: 'the exact text: JSON, to be hashed as it is' })),
      forgotten: t.Boolean({ description: 'whether its text is past its retention; its hash stays' }),
      leaf_hash: t.String({ description: 'SHA-256 of a zero byte and the text, in base64url' }),
    }),
    { description: 'one page, the oldest first' },
  ),
  next_cursor: nullable(t.String({ description: 'null on the last page' })),
});
const EXAMPLE_ENTRY =
  '{"v":1,"type":"license_changed","at":"2026-11-22T09:30:00.000Z","nonce":"l3ZkYyNTb1tX0pGkqkq2VQ","site_id":null,"data":{"change":"issue"}}';
const EXAMPLE = {
  entries: [{ index: 0, entry: EXAMPLE_ENTRY, forgotten: false, leaf_hash: EXAMPLE_ROOT }],
  next_cursor: null,
};

const Size = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const ConsistencyQuery = closed({
  first: Size('the size of an earlier checkpoint'),
  second: Size('the size of a later one'),
});
const Consistency = typed('EvidenceConsistency', {
  first: Type.Integer({ minimum: 0, description: 'the earlier size' }),
  second: Type.Integer({ minimum: 0, description: 'the later size' }),
  hashes: t.Array(t.String(), { description: 'the proof of RFC 9162, 2.1.4, in base64url' }),
});

const INDEX = {
  name: 'index',
  in: 'path' as const,
  required: true,
  description: 'its `index`',
  schema: { type: 'integer' as const, minimum: 0 },
};
const INDEX_FORM = /^(0|[1-9]\d{0,14})$/;
const SHOWN = { tags: [TAGS.tenant], security: BEARER_SECURITY };

/** The entries of a license's history, and what proves that they are in it. */
export const evidenceEntries = (parts: Parts) => {
  const { authenticate, tenantData, identities, evidenceDesk } = parts;
  const reads = tenantData.evidence;
  const readQuery = queryReader(EntryQuery);
  const readSizes = queryReader(ConsistencyQuery, 'refused');

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

  const proof = async (licenseId: number, told: string): Promise<string> => {
    const index = INDEX_FORM.test(told) ? Number(told) : Number.NaN;
    const signed = Number.isSafeInteger(index) ? await evidenceDesk.covering(licenseId, index) : undefined;
    if (isRefusal(signed)) throw signed;
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

  return new Elysia()
    .derive(authenticate)
    .onTransform(requirePlan('pro'))
    .get(
      '/evidence/entries',
      async ({ caller, request }) => success(await page(caller.license.id, readQuery(request))),
      {
        response: answers(
          show(EntryList, EXAMPLE, 'One page of entries, and the way to the next.'),
          ...BEARER_CODES,
          'PLAN_REQUIRED',
          'INVALID_QUERY',
        ),
        detail: {
          ...SHOWN,
          operationId: 'listEvidence',
          summary: "The entries of the license's history, the oldest first",
          description:
            'A page may hold fewer entries than asked for, even none: go on until `next_cursor` is null. A site that is not the ' +
            'tenant’s has no entries. Needs the plan pro or a higher one.',
          parameters: queryParameters(EntryQuery),
        },
      },
    )
    .get(
      '/evidence/entries/:index/proof',
      async ({ caller, set, params: { index } }) =>
        textAnswer({ set } as HookContext, await proof(caller.license.id, index)),
      {
        response: bareAnswers(
          textBody(
            'text/plain',
            'The proof, with the checkpoint that it leads to.',
            `c2sp.org/tlog-proof@v1\nindex 0\nH4sIAAAAAAAAA0tMTEpOSU1LBwBZq0lFCAAAABwVTxw=\n\n${EXAMPLE_NOTE}`,
          ),
          ...BEARER_CODES,
          'PLAN_REQUIRED',
          'EVIDENCE_NOT_FOUND',
          'STORE_UNAVAILABLE',
        ),
        detail: {
          ...SHOWN,
          operationId: 'getEvidenceProof',
          summary: 'That an entry is in the history',
          description:
            'C2SP tlog-proof, which is verified offline with the entry’s text and the key of GET /evidence. For an entry that is not ' +
            'signed yet, a checkpoint is signed, at most one a second. Needs the plan pro or a higher one.',
          parameters: [INDEX],
        },
      },
    )
    .get(
      '/evidence/consistency',
      async ({ caller, request }) => success(await consistency(caller.license.id, readSizes(request))),
      {
        response: answers(
          show(
            Consistency,
            { first: 41, second: 42, hashes: [EXAMPLE_ROOT] },
            'What shows that the earlier state is the beginning of the later one.',
          ),
          ...BEARER_CODES,
          'PLAN_REQUIRED',
          'INVALID_QUERY',
          'EVIDENCE_NOT_FOUND',
        ),
        detail: {
          ...SHOWN,
          operationId: 'getEvidenceConsistency',
          summary: 'That the history has only grown',
          description: 'Between two checkpoints of the same origin. Needs the plan pro or a higher one.',
          parameters: queryParameters(ConsistencyQuery).map((parameter) => ({
            ...parameter,
            required: true,
          })),
        },
      },
    );
};
