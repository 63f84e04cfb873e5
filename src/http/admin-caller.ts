import type { Scope } from '../domain/admin/scope.ts';
import { refuse } from '../domain/refusal.ts';
import { textInRanges } from '../lib/address-range.ts';
import type { AdminLimits } from './admin-limits.ts';
import { bearerKey } from './caller.ts';
import type { HookContext } from './context.ts';
import { noteSignIn } from './sign-in-counts.ts';

/** The token of a request to the admin API. */
export interface AdminCaller {
  readonly tokenId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** Finds a valid token; undefined for any other text. */
export type FindToken = (text: string) => Promise<AdminCaller | undefined>;

/** Allows requests only from these addresses. Only the address of the connection counts, never a forwarded one. */
export function allowOnly(socketAddress: (request: Request) => string, ranges: readonly string[]) {
  const isAllowed = textInRanges(ranges);
  return ({ request }: HookContext): void => {
    if (isAllowed(socketAddress(request))) return;
    throw refuse('ADDRESS_NOT_ALLOWED', 'Your address is not in SERVICE_ADMIN_ALLOW.');
  };
}

/** Authenticates a request by its token and counts it against the limit of the token. */
export function authenticateToken(findToken: FindToken, limits: AdminLimits) {
  return async ({ request, set }: HookContext): Promise<{ caller: AdminCaller }> => {
    const text = bearerKey(request);
    if (text === undefined) throw refuse('UNAUTHORIZED', 'Send the header "Authorization: Bearer <token>".');
    const caller = await findToken(text);
    if (caller === undefined) {
      const unknown = refuse('UNAUTHORIZED', 'This token is unknown, revoked or expired.');
      const limited = limits.countFailedAuthentication({ request, set });
      noteSignIn(set, limited ? 'token limited' : 'token failed');
      throw limited ?? unknown;
    }
    noteSignIn(set, 'token succeeded');
    if (set.exchange) set.exchange.tokenName = caller.name;
    limits.spendToken({ request, set }, caller.tokenId);
    return { caller };
  };
}

/** @throws Refusal if the token lacks the scope */
export function requireScope({ scopes }: AdminCaller, scope: Scope): void {
  if (!scopes.includes(scope))
    throw refuse('SCOPE_REQUIRED', `This token lacks the scope ${scope}. Create one that has it.`);
}
