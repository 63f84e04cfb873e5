import type { Static, TObject } from '@sinclair/typebox';
import { queryParameters, queryReader } from '../query.ts';
import type { Parameter } from './route.ts';

/** How a route reads its query, and the parameters in the contract. */
export interface QueryRules<Query> {
  readonly parameters: readonly Parameter[];
  readonly read: (request: Request) => Query;
}

/** @param doubled for repeated names: use the last value, or refuse the request */
export const queryOf = <Schema extends TObject>(
  schema: Schema,
  doubled?: 'last' | 'refused',
): QueryRules<Static<Schema>> => ({
  parameters: queryParameters(schema),
  read: queryReader(schema, doubled),
});
