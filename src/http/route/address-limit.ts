import type { HookContext } from '../context.ts';
import type { IpLimit, Limits } from '../limits.ts';

/** The parts that every API route uses. */
export interface LimitParts {
  readonly limits: Pick<Limits, 'perIp'>;
}

export interface Limited {
  /** The limit per address, checked before everything else. */
  readonly limit?: IpLimit;
}

export const addressLimit =
  ({ limit }: Limited) =>
  ({ limits }: LimitParts): ((context: HookContext) => void) | undefined =>
    limit && limits.perIp(limit);
