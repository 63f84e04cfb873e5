import { PUBLIC } from '../contract/contract.ts';
import { addressLimit, type Limited, type LimitParts } from './address-limit.ts';
import { type Definition, defineRoute } from './definition.ts';
import type { MethodAndPath, Route } from './route.ts';

const NO_IDENTITY = {};

/** A route without a key. Order: limit per address, body, schema, query, handler. */
export const openRoute = <const At extends MethodAndPath, Parts, Query = undefined, Body = undefined>(
  definition: Definition<At, Query, Body, object, Parts> & Limited,
): Route<Parts & LimitParts> =>
  defineRoute<At, Query, Body, object, Parts & LimitParts>(definition, {
    codes: [],
    gateCodes: [],
    security: PUBLIC,
    begin: addressLimit(definition),
    identify: () => () => NO_IDENTITY,
  });
