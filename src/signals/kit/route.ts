import { Elysia } from 'elysia';
import type { DerivedIdentities } from '../../domain/identity.ts';
import { dailyBudget } from '../../domain/license/daily-budget.ts';
import { isRefusal } from '../../domain/refusal.ts';
import { readJson } from '../../http/body.ts';
import type { authenticate } from '../../http/caller.ts';
import { answers, BEARER_CODES, bodyCodes, show, success } from '../../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../../http/contract/contract.ts';
import { privacyGate } from '../../http/privacy-gate.ts';
import { checkBody } from '../../http/schema-check.ts';
import { type Clock, iso } from '../../lib/clock.ts';
import type { Config } from '../../settings/config.ts';
import type { Writer } from '../../storage/engine/writer.ts';
import type { Signal } from './signal.ts';

/** What the routes of signals are made from. */
export interface SignalParts {
  readonly authenticate: ReturnType<typeof authenticate>;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
  readonly identities: DerivedIdentities;
  readonly config: Config;
}

/** A signal's route: its hooks in the order in which a request meets them. */
export const signalRoute = (
  { name, path, summary, description, capBytes, privacy, codes, body, answer, answered, ...signal }: Signal,
  { authenticate, writer, clock, identities, config }: SignalParts,
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
          show(answer, answered.example, answered.description),
          ...BEARER_CODES,
          ...bodyCodes(codes.shape),
          codes.privacy,
          ...(codes.binding ?? []),
          ...(signal.persistence === 'stored' ? (['DAILY_CAP_EXCEEDED'] as const) : []),
          'STORE_UNAVAILABLE',
        ),
        detail: {
          operationId: `send${name}`,
          summary,
          description,
          tags: [TAGS.signals],
          security: BEARER_SECURITY,
        },
      },
    );
