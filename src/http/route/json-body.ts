import type { Static, TSchema } from '@sinclair/typebox';
import type { RefusalCode } from '../../domain/refusal.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import { type BodyRules, jsonReader } from '../body.ts';
import type { HookContext } from '../context.ts';
import { withClientValues } from '../contract/client-values.ts';
import { checker, pluginChecker } from '../schema-check.ts';
import type { BodyContract } from './route.ts';

/** How a route reads and checks its body. */
export interface JsonBody<Body> extends BodyContract {
  readonly refusedAs: RefusalCode;
  readonly read: (
    context: HookContext,
    arrived?: (context: HookContext, bytes: number) => Awaitable<void>,
  ) => Promise<unknown>;
  /** @throws Refusal of an invalid body */
  readonly check: (read: unknown) => Body;
}

interface CheckedBodyRules<Schema extends TSchema> extends Omit<BodyRules, 'named'> {
  readonly schema: Schema;
  /** Replaces the schema in the contract. */
  readonly shown?: TSchema;
  /** Converts a body before all checks. */
  readonly prepare?: (body: unknown) => unknown;
  /** Refuses a body for its content, before the schema is checked. */
  readonly inspect?: (body: unknown) => void;
  /** Replaces the check by the schema. */
  readonly check?: (body: unknown) => Static<Schema>;
}

/** A body that is read under its cap, inspected for forbidden content, and then checked by its schema. */
export function jsonBody<Schema extends TSchema>({
  schema,
  shown = schema,
  prepare = (body) => body,
  inspect = () => {},
  refusedAs = 'INVALID_PAYLOAD',
  check = checker(schema, refusedAs),
  ...rules
}: CheckedBodyRules<Schema>): JsonBody<Static<Schema>> {
  return {
    ...uncheckedBody({ ...rules, named: schema, refusedAs }),
    schema: shown,
    check: (read) => {
      const body = prepare(read);
      inspect(body);
      return check(body);
    },
  };
}

/** A body of a route that plugins call; see {@link pluginChecker}. */
export const pluginBody = <Schema extends TSchema>(
  rules: CheckedBodyRules<Schema>,
): JsonBody<Static<Schema>> =>
  jsonBody({
    shown: withClientValues(rules.schema),
    check: pluginChecker(rules.schema, rules.refusedAs),
    ...rules,
  });

/** A body that the route's handler checks. */
export function uncheckedBody({ refusedAs = 'INVALID_PAYLOAD', ...rules }: BodyRules): JsonBody<unknown> {
  const { capBytes, whenEmpty } = rules;
  return {
    schema: undefined,
    capBytes,
    isOptional: whenEmpty !== undefined,
    refusedAs,
    read: jsonReader({ ...rules, refusedAs }),
    check: (read) => read,
  };
}
