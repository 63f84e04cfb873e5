import { createIdentities } from '../domain/identity.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type AskForGrants, createSharedDraws, type SharedDraws } from '../lib/shared-draws.ts';
import { connectLimitsServer } from '../outside/limits-server.ts';
import type { LimitsAddress } from '../settings/limits-address.ts';

/** Who counts for all nodes, in words for operators. */
export type Keeper = 'the database' | 'the limits server';

/** What all nodes draw from. */
export interface SharedLimits extends SharedDraws {
  readonly keeper: Keeper;
}

/** That each node counts its own, as the log and /readyz say it. */
export const countedPerNode = ({ keeper }: Pick<SharedLimits, 'keeper'>): string =>
  `rate limits are counted per node: ${keeper} does not respond in time`;

const FINGERPRINT_CHARACTERS = 12;

export interface SharedLimitsParts {
  /** Undefined = the database counts. */
  readonly address: LimitsAddress | undefined;
  /** Of the installation. */
  readonly secret: Uint8Array;
  /** Has the database count; called only where it is to. */
  readonly askDatabase: () => AskForGrants;
  readonly log: Log;
}

/** Has the limits of all nodes counted by the server that is for it, else by the database. */
export async function openSharedLimits(
  closing: AsyncDisposableStack,
  { address, secret, askDatabase, log }: SharedLimitsParts,
): Promise<SharedLimits> {
  if (address === undefined) {
    const ask = askDatabase();
    // So that the first who are counted need not wait for a connection.
    await ask([]).catch(() => {});
    return sharedLimits('the database', ask, log);
  }
  const fingerprint = createIdentities(secret).keyFingerprint.slice(0, FINGERPRINT_CHARACTERS);
  const server = await connectLimitsServer(address, `redoubt:${fingerprint}`);
  closing.defer(server.close);
  const limits = sharedLimits('the limits server', server.ask, log);
  // A wrong address is reported at the start.
  await limits.isCounted();
  return limits;
}

function sharedLimits(keeper: Keeper, ask: AskForGrants, log: Log): SharedLimits {
  const draws = createSharedDraws({
    ask,
    monotonic: systemClock.monotonic,
    onAway: (reason) => log.warn(countedPerNode({ keeper }), { reason }),
    onBack: () => log.info('rate limits are counted across all nodes again'),
  });
  return { ...draws, keeper };
}
