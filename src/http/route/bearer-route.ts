import type { Plan } from '../../domain/license/catalog.ts';
import { whenReady } from '../../lib/when-ready.ts';
import type { Authenticate, Identified } from '../caller.ts';
import { BEARER_CODES } from '../contract/answers.ts';
import { BEARER_SECURITY } from '../contract/contract.ts';
import { requirePlan } from '../plan-gate.ts';
import { addressLimit, type Limited, type LimitParts } from './address-limit.ts';
import { type Definition, defineRoute } from './definition.ts';
import type { MethodAndPath, Route } from './route.ts';

/** The parts that every route with a license key uses. */
export interface BearerParts extends LimitParts {
  readonly authenticate: Authenticate;
}

interface BearerDefinition<At extends MethodAndPath, Query, Body, Parts>
  extends Definition<At, Query, Body, Identified, Parts>,
    Limited {
  /** The lowest allowed plan; by default, all plans are allowed. */
  readonly plan?: Plan;
  /** Replaces the default, which consumes one token of the key. */
  readonly authenticate?: (parts: Parts) => Authenticate;
}

/**
 * A route that requires a license key. Order: limit per address, key, limit per key, plan, body, privacy gate, schema, query,
 * handler.
 */
export const bearerRoute = <const At extends MethodAndPath, Parts, Query = undefined, Body = undefined>(
  definition: BearerDefinition<At, Query, Body, Parts>,
): Route<Parts & BearerParts> =>
  defineRoute<At, Query, Body, Identified, Parts & BearerParts>(definition, {
    codes: BEARER_CODES,
    gateCodes: definition.plan ? ['PLAN_REQUIRED'] : [],
    security: BEARER_SECURITY,
    begin: addressLimit(definition),
    identify: (parts) => {
      const { plan } = definition;
      const authenticate = definition.authenticate?.(parts) ?? parts.authenticate;
      if (plan === undefined) return authenticate;
      return (context) =>
        whenReady(authenticate(context), (identified) => {
          requirePlan(identified.caller, plan);
          return identified;
        });
    },
  });
