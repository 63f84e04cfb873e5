import { Type as t } from '@sinclair/typebox';
import { complete, GUARDING_HEADERS, type HookContext } from '../http/context.ts';
import { BARE, show, textBody, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { count } from '../http/fields.ts';
import { bearerRoute } from '../http/route/index.ts';
import { iso } from '../lib/clock.ts';
import { signedLog } from './fields/evidence-log.ts';
import type { Parts } from './parts.ts';

export const EvidenceState = typed('EvidenceLog', {
  origin: t.String({ description: 'origin of the log, as in its checkpoints' }),
  size: count('number of signed entries'),
  root_hash: t.String({ description: 'root hash of the signed entries (RFC 6962, SHA-256, base64url)' }),
  vkey: t.String({ description: 'verifier key in C2SP signed-note format' }),
  first_at: timestamp('time of the first entry'),
  last_at: timestamp('time of the newest signed entry'),
  retained_from: count(
    'index of the first entry with stored text; of earlier ones only the hashes are stored',
  ),
  pending: count('number of entries not yet signed; the next checkpoint includes them'),
});

const EXAMPLE_ORIGIN = 'security.example/evidence/3rkBqXoG0hZtYc8VnJd1Wf';
export const EXAMPLE_ROOT = 'H4sIAAAAAAAAA0tMTEpOSU1LBwBZq0lFCAAAABwVTxw';
export const EXAMPLE_NOTE = `${EXAMPLE_ORIGIN}\n42\nH4sIAAAAAAAAA0tMTEpOSU1LBwBZq0lFCAAAABwVTxw=\n\n— ${EXAMPLE_ORIGIN} 4S9tAu0P1x...\n`;
const EXAMPLE = {
  origin: EXAMPLE_ORIGIN,
  size: 42,
  root_hash: EXAMPLE_ROOT,
  vkey: `${EXAMPLE_ORIGIN}+e12f6d02+AQxu3H0mVmLJ6WgGJ2X9kkcTLDoZ4TzqGQSmcvHHhBMp`,
  first_at: '2026-11-22T09:30:00.000Z',
  last_at: '2026-12-22T09:30:00.000Z',
  retained_from: 0,
  pending: 1,
};

/** Creates an answer other than JSON that is not cached. */
export const textAnswer = (
  { set }: Pick<HookContext, 'set'>,
  text: string | Blob,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  complete(
    set,
    200,
    text,
    new Headers({ ...GUARDING_HEADERS, 'content-type': 'text/plain; charset=utf-8', ...headers }),
  );

type EvidenceParts = Parts<'evidenceDesk' | 'tenantData'>;

/** Operations that return the signed state of the evidence log, and its checkpoint. */
export const evidence = [
  bearerRoute({
    at: 'GET /evidence',
    plan: 'pro',
    tag: TAGS.tenant,
    operationId: 'getEvidence',
    summary: 'Get the evidence log of the license',
    description:
      'An append-only log of what this service found and did for the license, written in the same transaction. A checkpoint stored elsewhere reveals any later change. Requires the plan pro or higher.',
    answer: show(EvidenceState, EXAMPLE, 'Returns the signed state of the log.'),
    codes: ['STORE_UNAVAILABLE'],
    handle: async ({ licenseId }, parts: EvidenceParts) => {
      const { tenantData } = parts;

      const { log, size, rootHash, note, vkey } = await signedLog(parts, licenseId);
      const momentOf = async (position: number) =>
        iso((await tenantData.evidence.momentOf(log.id, position)) ?? log.lastAt);
      const now = (await tenantData.evidence.current(licenseId)) ?? log;
      return {
        origin: note.slice(0, note.indexOf('\n')),
        size,
        root_hash: Buffer.from(rootHash).toString('base64url'),
        vkey,
        first_at: await momentOf(0),
        last_at: await momentOf(size - 1),
        retained_from: log.keptFrom,
        pending: Math.max(0, now.size - size),
      };
    },
  }),
  bearerRoute({
    at: 'GET /evidence/checkpoint',
    plan: 'pro',
    tag: TAGS.tenant,
    operationId: 'getEvidenceCheckpoint',
    summary: 'Get the newest checkpoint of the evidence log',
    description:
      'C2SP tlog-checkpoint, a signed note. Store it where the operator of this service cannot change it: later removals of its entries become detectable. Renewed at most once a minute and, when requested, at least once a day. Requires the plan pro or higher.',
    answer: textBody(
      'text/plain',
      'Returns the checkpoint: signed origin, size and root hash.',
      EXAMPLE_NOTE,
    ),
    answers: BARE,
    codes: ['STORE_UNAVAILABLE'],
    handle: async ({ licenseId, set }, parts: EvidenceParts) =>
      textAnswer({ set }, (await signedLog(parts, licenseId)).note),
  }),
];
