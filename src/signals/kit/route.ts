import type { DerivedIdentities } from '../../domain/identity.ts';
import { dailyBudget } from '../../domain/license/daily-budget.ts';
import { notRefused } from '../../domain/refusal.ts';
import { show } from '../../http/contract/answers.ts';
import { TAGS } from '../../http/contract/contract.ts';
import { privacyGate } from '../../http/privacy-gate.ts';
import { bearerRoute, jsonBody } from '../../http/route/index.ts';
import { type Clock, iso } from '../../lib/clock.ts';
import type { Config } from '../../settings/config.ts';
import type { Writer } from '../../storage/engine/writer.ts';
import type { Signal } from './signal.ts';

export interface SignalParts {
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
  readonly identities: DerivedIdentities;
  readonly config: Config;
}

/** Creates the route of a signal. */
export const signalRoute = ({
  name,
  path,
  summary,
  description,
  capBytes,
  privacy,
  codes,
  body,
  answer,
  answered,
  ...signal
}: Signal) =>
  bearerRoute({
    at: `POST ${path}`,
    body: jsonBody({
      schema: body,
      capBytes,
      refusedAs: codes.shape,
      inspect: privacyGate(privacy, codes.privacy, body),
    }),
    operationId: `send${name}`,
    summary,
    description,
    tag: TAGS.signals,
    answer: show(answer, answered.example, answered.description),
    codes: [
      codes.privacy,
      ...(codes.binding ?? []),
      ...(signal.persistence === 'stored' ? (['DAILY_CAP_EXCEEDED'] as const) : []),
      'STORE_UNAVAILABLE',
    ],
    handle: async ({ caller, body: signalled }, { writer, clock, identities, config }: SignalParts) => {
      const now = clock.now();
      const received = notRefused(
        signal.receive(signalled, {
          identity: identities[signal.identity](caller.license.id),
          receivedAt: iso(now),
        }),
      );
      const { site, record } = received;
      notRefused(
        await writer.write('recordSignal', {
          licenseId: caller.license.id,
          signal: path,
          ...(signal.persistence === 'replaced'
            ? { replaces: true }
            : { replaces: false, budget: dailyBudget(caller.license, caller.standing, config) }),
          site: site === undefined ? '' : identities.siteIdHash(caller.license.id, site),
          record,
          receivedAt: now,
        }),
      );
      return received.answer;
    },
  });
