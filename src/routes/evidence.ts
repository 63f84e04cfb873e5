import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { complete, GUARDING_HEADERS, type HookContext } from '../http/context.ts';
import {
  answers,
  BEARER_CODES,
  bareAnswers,
  show,
  success,
  textBody,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { iso } from '../lib/clock.ts';
import { signedLog } from './fields/evidence-log.ts';
import type { Parts } from './parts.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
export const EvidenceState = typed('EvidenceLog', {
  origin: t.String({ description: 'what its checkpoints call it' }),
  size: Count('entries that are signed'),
  root_hash: t.String({ description: 'over these entries: RFC 6962, SHA-256 in base64url' }),
  vkey: t.String({ description: 'the public key that signs it, as C2SP signed-note writes it' }),
  first_at: timestamp('when its first entry was written'),
  last_at: timestamp('when the newest signed one was written'),
  retained_from: Count('the first entry whose text is kept; of those before it, the hashes are'),
  pending: Count('entries that will be signed with the next checkpoint'),
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

const SHOWN = { tags: [TAGS.tenant], security: BEARER_SECURITY };
const CODES = [...BEARER_CODES, 'PLAN_REQUIRED', 'STORE_UNAVAILABLE'] as const;

/** An answer that is no JSON, and kept by nobody. */
export const textAnswer = (
  { set }: Pick<HookContext, 'set'>,
  text: string | Blob,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  complete(
    set as HookContext['set'],
    200,
    text,
    new Headers({ ...GUARDING_HEADERS, 'content-type': 'text/plain; charset=utf-8', ...headers }),
  );

/** The history of a license, as it is signed. */
export const evidence = (parts: Parts) => {
  const { authenticate, tenantData } = parts;

  const state = async (licenseId: number) => {
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
  };

  return new Elysia()
    .derive(authenticate)
    .onTransform(requirePlan('pro'))
    .get('/evidence', async ({ caller }) => success(await state(caller.license.id)), {
      response: answers(show(EvidenceState, EXAMPLE, 'The log as it is signed.'), ...CODES),
      detail: {
        ...SHOWN,
        operationId: 'getEvidence',
        summary: "The license's history, as it is signed",
        description:
          'What this service has found and done for the license, each in the transaction of its fact: an append-only log ' +
          'that nobody can change unnoticed once a checkpoint of it was kept elsewhere. Needs the plan pro or a higher one.',
      },
    })
    .get(
      '/evidence/checkpoint',
      async ({ caller, set }) =>
        textAnswer({ set } as HookContext, (await signedLog(parts, caller.license.id)).note),
      {
        response: bareAnswers(
          textBody('text/plain', 'The checkpoint: origin, size and root hash, signed.', EXAMPLE_NOTE),
          ...CODES,
        ),
        detail: {
          ...SHOWN,
          operationId: 'getEvidenceCheckpoint',
          summary: 'The newest signed state of the history',
          description:
            'C2SP tlog-checkpoint, a signed note. Keep it where the operator of this service cannot change it: what is in it ' +
            'can never be taken out of the history unnoticed. Signed anew at most once a minute, and at least once a day when it is ' +
            'asked for. Needs the plan pro or a higher one.',
        },
      },
    );
};
