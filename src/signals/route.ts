import { Elysia } from 'elysia';
import { dailyBudget } from '../domain/daily-budget.ts';
import { isRefusal } from '../domain/refusal.ts';
import { answers, BEARER_CODES, bodyCodes, success } from '../http/answers.ts';
import { readJson } from '../http/body.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract.ts';
import { privacyGate } from '../http/privacy-gate.ts';
import { checkBody } from '../http/schema-check.ts';
import { iso } from '../lib/clock.ts';
import type { Parts } from '../parts.ts';
import type { Signal } from './signal.ts';

/** A signal's route: its hooks in the order in which a request meets them. */
export const signalRoute = (
  { path, summary, description, capBytes, privacy, codes, body, answer, ...signal }: Signal,
  {
    authenticate,
    writer,
    clock,
    identities,
    config,
  }: Pick<Parts, 'authenticate' | 'writer' | 'clock' | 'identities' | 'config'>,
) =>
  new Elysia()
    .derive(authenticate)
    .onTransform(readJson({ capBytes, refusedAs: codes.shape }))
    .onTransform(privacyGate(privacy, codes.privacy))
    .onTransform(checkBody(body, codes.shape))
    .post(
      path,
      async ({ caller, body: signalled }) => {
        const now = clock.now();
        const received = signal.receive(signalled, {
          identity: identities[signal.identity](caller.license.id),
          receivedAt: iso(now),
        });
        if (isRefusal(received)) throw received;
        const { site, record } = received;
        const refusal = await writer.write('recordSignal', {
          licenseId: caller.license.id,
          signal: path,
          ...(signal.persistence === 'replaced'
            ? { replaces: true }
            : { replaces: false, budget: dailyBudget(caller.license, caller.standing, config) }),
          site: site === undefined ? '' : identities.siteIdHash(caller.license.id, site),
          record,
          receivedAt: now,
        });
        if (isRefusal(refusal)) throw refusal;
        return success(received.answer);
      },
      {
        body,
        response: answers(
          answer,
          ...BEARER_CODES,
          ...bodyCodes(codes.shape),
          codes.privacy,
          ...(codes.binding ?? []),
          ...(signal.persistence === 'stored' ? (['DAILY_CAP_EXCEEDED'] as const) : []),
          'STORE_UNAVAILABLE',
        ),
        detail: { summary, description, tags: [TAGS.signals], security: BEARER_SECURITY },
      },
    );
