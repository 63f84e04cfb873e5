/**
 * The actor: an operator by his login on the host, by a token of the admin API or by his name in the console, a tenant in the
 * portal by the name of its license, the payment processor by its events, or the service, on its own or for a caller.
 */
export type Actor =
  | `cli:${string}`
  | `token:${string}`
  | `operator:${string}`
  | `tenant:${string}`
  | 'stripe'
  | 'system';

/** Whether the actor is an operator, in any of these ways. */
export const isOperator = (actor: Actor): boolean => /^(?:cli|token|operator):/.test(actor);

/** The actor and the reason of an act. */
export interface Author {
  readonly actor: Actor;
  /** In the operator's words. */
  readonly reason?: string | undefined;
  /** Of the request that caused it. */
  readonly requestId?: string | undefined;
}
