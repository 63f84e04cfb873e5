import { hashAdminToken, isWellFormedAdminToken, tokenState } from '../domain/admin/admin-token.ts';
import type { FindToken } from '../http/admin-caller.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import type { readAdminTokens } from '../storage/operators/admin-tokens.ts';

export interface TokenLookup extends Pick<ReturnType<typeof readAdminTokens>, 'findByHash'> {
  readonly noteUse: (tokenId: number) => void;
  readonly now: () => number;
}

/** Finds valid tokens. Tokens are read on each request, so a revoked one is refused on the next. */
export const createTokenLookup =
  ({ findByHash, noteUse, now }: TokenLookup): FindToken =>
  async (sent) => {
    const text = trimInvisible(sent);
    const token = isWellFormedAdminToken(text) ? await findByHash(hashAdminToken(text)) : undefined;
    if (token === undefined || tokenState(token, now()) !== 'works') return undefined;
    noteUse(token.id);
    return { tokenId: token.id, name: token.name, scopes: token.scopes };
  };
