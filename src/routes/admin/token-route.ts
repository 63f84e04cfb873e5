import type { Scope } from '../../domain/admin/scope.ts';
import { type AdminCaller, type authenticateToken, requireScope } from '../../http/admin-caller.ts';
import { type Definition, defineRoute } from '../../http/route/definition.ts';
import type { MethodAndPath, Route } from '../../http/route/route.ts';
import { SECURITY, TOKEN_CODES } from './contract.ts';

/** The parts of every operation of the admin API. */
export interface TokenParts {
  readonly authenticate: ReturnType<typeof authenticateToken>;
}

interface Identified {
  readonly caller: AdminCaller;
}

interface TokenDefinition<At extends MethodAndPath, Query, Body, Parts>
  extends Definition<At, Query, Body, Identified, Parts> {
  /** The scope that the token must have. Default: any. */
  readonly scope?: Scope;
}

/** Defines an operation of the admin API. Order of checks: token, limit per token, scope, body, schema, query, handler. */
export const tokenRoute = <const At extends MethodAndPath, Parts, Query = undefined, Body = undefined>(
  definition: TokenDefinition<At, Query, Body, Parts>,
): Route<Parts & TokenParts> =>
  defineRoute<At, Query, Body, Identified, Parts & TokenParts>(definition, {
    codes: definition.scope ? TOKEN_CODES : TOKEN_CODES.filter((code) => code !== 'SCOPE_REQUIRED'),
    gateCodes: [],
    security: SECURITY,
    identify: ({ authenticate }) => {
      const { scope } = definition;
      if (scope === undefined) return authenticate;
      return async ({ request, set }) => {
        const identified = await authenticate({ request, set });
        requireScope(identified.caller, scope);
        return identified;
      };
    },
  });
