import type { Static, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler, type ValueError } from '@sinclair/typebox/compiler';
import { type RefusalCode, refuse } from '../domain/refusal.ts';
import { gappedList, LIST_WITH_GAPS } from '../lib/gapped-list.ts';
import { madeOnce } from '../lib/made-once.ts';
import { asClientsWrite } from './client-values.ts';

/**
 * A check that is compiled on first use, because most processes use few routes. Returns the value with its checked type.
 *
 * @param named the schema with the field names that a refusal may mention; other names come from the caller
 * @throws Refusal that names the first invalid field, without its value
 */
export function checker<Schema extends TSchema>(
  schema: Schema,
  refusedAs: RefusalCode = 'INVALID_PAYLOAD',
  named: TSchema = schema,
): (value: unknown) => Static<Schema> {
  let compiled: TypeCheck<Schema> | undefined;
  return (value) => {
    compiled ??= TypeCompiler.Compile(schema);
    if (compiled.Check(value)) return value;
    const problem = compiled.Errors(value).First();
    throw refuse(
      refusedAs,
      problem
        ? `${placeAt(problem.path.split('/').slice(1), namesOf(named), value)}: ${reason(problem)}`
        : 'body: does not match the schema',
    );
  };
}

/** A {@link checker} for routes that plugins call. It first converts the body with {@link asClientsWrite}. */
export function pluginChecker<Schema extends TSchema>(
  schema: Schema,
  refusedAs?: RefusalCode,
): (body: unknown) => Static<Schema> {
  const read = asClientsWrite(schema);
  const check = checker(schema, refusedAs);
  return (body) => {
    read(body);
    return check(body);
  };
}

/** Text for the descriptions of routes that use {@link pluginChecker}. */
export const EMPTY_COUNTS_AS_ABSENT =
  'Optional fields that are null or an empty string are treated as absent, and integers in place of identifiers as their digits.';

/** The names of all fields of a schema. */
export const namesOf = madeOnce((schema: TSchema) => namesIn(schema));

function namesIn(schema: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return names;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(value)) names.add(name);
    namesIn(value, names);
  }
  return names;
}

interface ShownSchema {
  readonly type?: string;
  readonly anyOf?: readonly (ShownSchema & { readonly const?: unknown })[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

function reason({ message, schema, value }: ValueError): string {
  const { type, anyOf = [] } = schema as ShownSchema;
  const isList = type === 'array' || anyOf.some((variant) => variant.type === 'array');
  if (isList && gappedList(value)) return LIST_WITH_GAPS;
  const [only, ...others] = anyOf.filter(({ type }) => type !== 'null');
  if (only && others.length === 0 && anyOf.length > 1) return `${expected(only) ?? message}, or null`;
  // TypeBox has no message for the custom kind `text`, and an unclear one for the length of lists.
  const isOurs = anyOf.length > 0 || /^Expected (?:kind|array length)/.test(message);
  return (isOurs ? expected(schema as ShownSchema) : undefined) ?? message;
}

function expected({
  type,
  anyOf = [],
  minLength = 0,
  maxLength,
  minimum,
  maximum,
  minItems = 0,
  maxItems,
}: ShownSchema): string | undefined {
  const words = anyOf.map((variant) => variant.const).filter((word) => word !== undefined);
  if (words.length > 0) return `Expected one of ${words.join(', ')}`;
  if (type === 'integer') return `Expected a whole number from ${minimum} to ${maximum}`;
  if (maxItems !== undefined) return `Expected ${minItems} to ${maxItems} items`;
  return maxLength === undefined ? undefined : `Expected a text of ${minLength} to ${maxLength} characters`;
}

/**
 * The path of a value in readable form, `events[37].type` for `events`, `37` and `type`. Names from the caller are masked.
 *
 * @param within the body; tells indexes of lists from names
 */
export function placeAt(parts: readonly string[], names: ReadonlySet<string>, within: unknown): string {
  let container = within;
  const path = parts
    .map((part) => {
      const isIndex = Array.isArray(container);
      container = Object.getOwnPropertyDescriptor(Object(container), part)?.value;
      if (isIndex) return `[${part}]`;
      return names.has(part) ? `.${part}` : '.(unknown field)';
    })
    .join('');
  return path.replace(/^\./, '') || 'body';
}
