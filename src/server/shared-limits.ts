import { createIdentities } from '../domain/identity.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type AskForGrants, createSharedDraws, type SharedDraws } from '../lib/shared-draws.ts';
import { connectLimitsServer } from '../outside/limits-server.ts';
import type { LimitsAddress } from '../settings/limits-address.ts';

/** The server that counts for all nodes, as operators read it. */
export type Keeper = 'the database' | 'the limits server';

/** Rate limits that all nodes share. */
export interface SharedLimits extends SharedDraws {
  readonly keeper: Keeper;
}

/** The warning in the log and in /readyz that each node counts alone. */
export const countedPerNode = ({ keeper }: Pick<SharedLimits, 'keeper'>): string =>
  `rate limits are counted per node: ${keeper} does not respond in time`;

const FINGERPRINT_CHARACTERS = 12;

export interface SharedLimitsParts {
  /** Undefined = the database counts. */
  readonly address: LimitsAddress | undefined;
  /** The secret of the installation. */
  readonly secret: Uint8Array;
  /** Connects to the database's counters; called only without a limits server. */
  readonly askDatabase: () => AskForGrants;
  readonly log: Log;
}

/** Opens the shared rate limits, counted by the limits server or otherwise by the database. */
export async function openSharedLimits(
  closing: AsyncDisposableStack,
  { address, secret, askDatabase, log }: SharedLimitsParts,
): Promise<SharedLimits> {
  if (address === undefined) {
    const ask = askDatabase();
    // Opens the connection, so that the first requests need not wait for it.
    await ask([]).catch(() => {});
    return sharedLimits('the database', ask, log);
  }
  const fingerprint = createIdentities(secret).keyFingerprint.slice(0, FINGERPRINT_CHARACTERS);
  const server = await connectLimitsServer(address, `redoubt:${fingerprint}`);
  closing.defer(server.close);
  const limits = sharedLimits('the limits server', server.ask, log);
  // Logs a wrong address at the start.
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
