/**
 * Who acts: an operator by his login on the host, by a token of the admin API or by his name in the console, a tenant in the
 * portal by the name of its license, the payment processor by what it tells, or the service by itself or for a caller.
 */
export type Actor =
  | `cli:${string}`
  | `token:${string}`
  | `operator:${string}`
  | `tenant:${string}`
  | 'stripe'
  | 'system';

/** Whether an operator acts, by whichever way. */
export const isOperator = (actor: Actor): boolean => /^(?:cli|token|operator):/.test(actor);

/** By whom something is done, and why. */
export interface Author {
  readonly actor: Actor;
  /** In the operator's words. */
  readonly reason?: string | undefined;
  /** Of the request that brought it about. */
  readonly requestId?: string | undefined;
}
