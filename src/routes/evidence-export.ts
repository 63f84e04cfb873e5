import type { Static } from '@sinclair/typebox';
import { publishedJwk } from '../domain/credential/jwks.ts';
import { entryLine, headerLine } from '../domain/evidence/export.ts';
import { refuse } from '../domain/refusal.ts';
import { BARE, closed, textBody } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { CURSOR, decodeCursor, encodeCursor } from '../http/cursor.ts';
import { bearerRoute, created, queryOf } from '../http/route/index.ts';
import { iso } from '../lib/clock.ts';
import { Seats } from '../lib/seats.ts';
import { evidencePage } from '../storage/evidence/evidence-page.ts';
import { searchEvidence } from '../storage/evidence/evidence-search.ts';
import { EXAMPLE_NOTE, textAnswer } from './evidence.ts';
import { whollySignedLog } from './fields/evidence-log.ts';
import { Cursor } from './fields/page-query.ts';
import { readSpan, SPAN } from './fields/query-moment.ts';
import type { Parts } from './parts.ts';

const LIST = 'evidence-export';
const PAGE_ENTRIES = 2_000;
/** Pages of long entries contain fewer of them. */
const PAGE_BYTES = 2 * 1_024 * 1_024;
/** Concurrent exports, one per license. Each has a page in memory. */
const CONCURRENT_EXPORTS_MAX = 4;
const RETRY_SECONDS = 1;
const NDJSON = 'application/x-ndjson';

const ExportQuery = closed({
  ...SPAN('entries written'),
  cursor: Cursor(CURSOR, 'cursor from the Link header of the previous page'),
});

/** The evidence log of a license as a file that can be verified without this service. */
export const evidenceExport = bearerRoute({
  at: 'GET /evidence/export',
  plan: 'pro',
  query: queryOf(ExportQuery),
  tag: TAGS.tenant,
  operationId: 'exportEvidence',
  summary: 'Export the evidence log as a self-verifying file',
  description:
    'NDJSON. Verify it without this service, with `redoubt evidence verify` or forty lines of Python. A page contains ' +
    `up to ${PAGE_ENTRIES} entries, possibly none; follow Link to the next one. Concatenated pages can be verified together. ` +
    'Requires the plan pro or higher.',
  answer: textBody(
    NDJSON,
    'Returns a header line that describes the log, then one line per entry.',
    `${JSON.stringify({ format: 'redoubt-evidence-v1', checkpoint: EXAMPLE_NOTE, vkey: 'security.example/evidence/…', jwks: { keys: [] } })}\n`,
  ),
  answers: BARE,
  codes: ['STORE_UNAVAILABLE'],
  handle: created((parts: Parts<'credentialKeys' | 'evidenceDesk' | 'identities' | 'tenantData'>) => {
    const { tenantData, identities, credentialKeys } = parts;
    const reads = tenantData.evidence;
    const seats = new Seats<number>(CONCURRENT_EXPORTS_MAX);

    /** @throws Refusal if the query is malformed, before a seat is taken */
    const wantedOf = (licenseId: number, query: Static<typeof ExportQuery>) => {
      const span = readSpan(query);
      const cursorKey = identities.cursorKey(licenseId, LIST);
      const begin = query.cursor === undefined ? 0 : decodeCursor(cursorKey, query.cursor);
      return { licenseId, query, span, cursorKey, begin };
    };

    const page = async ({ licenseId, query, span, cursorKey, begin }: ReturnType<typeof wantedOf>) => {
      const { log, size, note, vkey } = await whollySignedLog(parts, licenseId);
      const jwks = { keys: (await credentialKeys.published()).map(publishedJwk) };
      const lines = [headerLine({ checkpoint: note, vkey, jwks })];
      const sought = { logId: log.id, from: begin, to: size, type: null, site: null, ...span };
      let { positions, next } = await searchEvidence(reads, { ...sought, limit: PAGE_ENTRIES });
      let bytes = 0;
      for await (const entry of evidencePage(reads, log.id, positions, size)) {
        if (bytes > PAGE_BYTES) {
          next = entry.index;
          break;
        }
        const line = entryLine(entry);
        lines.push(line);
        bytes += line.length;
      }
      return {
        body: new Blob(lines),
        headers: next < size ? { link: linkTo(query, span, encodeCursor(cursorKey, next)) } : {},
      };
    };

    const exportPage = async (licenseId: number, query: Static<typeof ExportQuery>) => {
      const wanted = wantedOf(licenseId, query);
      const release = seats.take(licenseId);
      if (release === undefined) throw busy();
      try {
        return await page(wanted);
      } finally {
        release();
      }
    };

    return async ({ licenseId, set, query }) => {
      const { body, headers } = await exportPage(licenseId, query);
      return textAnswer({ set }, body, { 'content-type': NDJSON, ...headers });
    };
  }),
});

type Span = ReturnType<typeof readSpan>;

/** Returns the Link header of the next page with the same time range. */
const linkTo = ({ since, until }: Static<typeof ExportQuery>, span: Span, cursor: string): string => {
  const next = new URLSearchParams({
    ...(since === undefined ? {} : { since: iso(span.since) }),
    ...(until === undefined ? {} : { until: iso(span.until) }),
    cursor,
  });
  return `</api/v1/evidence/export?${next}>; rel="next"`;
};

const busy = () => refuse('RATE_LIMITED', 'Too many exports are running. Try again later.', RETRY_SECONDS);
