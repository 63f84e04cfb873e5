import type { HookContext } from '../context.ts';
import type { IpLimit, Limits } from '../limits.ts';

/** The parts of every route of the interface. */
export interface LimitParts {
  readonly limits: Pick<Limits, 'perIp'>;
}

export interface Limited {
  /** The limit per address, checked first. */
  readonly limit?: IpLimit;
}

/** Applies a route's limit per address, if it has one. */
export const addressLimit =
  ({ limit }: Limited) =>
  ({ limits }: LimitParts): ((context: HookContext) => void) | undefined =>
    limit && limits.perIp(limit);
