import { OptionalKind, type TSchema, Type } from '@sinclair/typebox';
import { INVISIBLE_PATTERN, trimInvisible } from '../lib/trim-invisible.ts';

type Omit = (value: unknown) => void;

/** Whether a client left a value empty: PHP, Python and JavaScript clients write null or an empty string for what they lack. */
export const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && trimInvisible(value) === '');

/**
 * Removes the optional fields that a client left empty from a body of this schema, in lists and nested objects too. In a map of
 * names to values, null counts as empty and an empty string is a value.
 */
export function omitEmpty(schema: TSchema): Omit {
  return omitIn(schema) ?? (() => undefined);
}

function omitIn({ type, properties, patternProperties, items }: TSchema): Omit | undefined {
  if (type === 'array') return omitInItems(items);
  if (patternProperties !== undefined) return omitNulls;
  if (type !== 'object' || properties === undefined) return undefined;
  const fields = Object.entries(properties as Readonly<Record<string, TSchema>>);
  const optional = fields.flatMap(([name, field]) => (OptionalKind in field ? [name] : []));
  const inner = fields.flatMap(([name, field]) => {
    const omit = omitIn(field);
    return omit ? [[name, omit] as const] : [];
  });
  if (optional.length + inner.length === 0) return undefined;
  return (value) => {
    if (!isObject(value)) return;
    for (const name of optional) if (name in value && isEmpty(value[name])) delete value[name];
    for (const [name, omit] of inner) if (name in value) omit(value[name]);
  };
}

function omitInItems(items: TSchema): Omit | undefined {
  const omit = omitIn(items);
  return (
    omit &&
    ((value) => {
      if (Array.isArray(value)) for (const item of value) omit(item);
    })
  );
}

const omitNulls: Omit = (value) => {
  if (!isObject(value)) return;
  for (const [name, held] of Object.entries(value)) if (held === null) delete value[name];
};

/** In the contract, what an optional field may also hold. */
export const Empty = Type.Union([Type.String({ pattern: INVISIBLE_PATTERN }), Type.Null()], {
  title: 'Empty',
  description: 'counts as absent',
});
const EmptyList = Type.Array(Type.Unknown(), {
  maxItems: 0,
  title: 'EmptyList',
  description: 'an empty object, as PHP writes it',
});

/** A schema as the contract shows it: with all that {@link omitEmpty} removes before it is checked. */
export function withEmpty<Schema extends TSchema>(schema: Schema): Schema {
  return shownWithEmpty(schema) as Schema;
}

function shownWithEmpty(schema: TSchema): TSchema {
  const { type, properties, patternProperties, items, anyOf } = schema;
  if (type === 'array') return { ...schema, items: shownWithEmpty(items) };
  if (anyOf !== undefined) return { ...schema, anyOf: (anyOf as TSchema[]).map(shownWithEmpty) };
  if (patternProperties !== undefined) {
    const values = Object.entries(patternProperties as Readonly<Record<string, TSchema>>);
    const withNull = values.map(([name, value]) => [name, Type.Union([value, Empty])]);
    return { ...schema, patternProperties: Object.fromEntries(withNull) };
  }
  if (type !== 'object' || properties === undefined) return schema;
  const fields = Object.entries(properties as Readonly<Record<string, TSchema>>);
  return {
    ...schema,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldWithEmpty(field)])),
  };
}

function fieldWithEmpty(field: TSchema): TSchema {
  const shown = shownWithEmpty(field);
  if (!(OptionalKind in field)) return shown;
  const { description, ...rest } = shown;
  const variants = [rest, ...(rest.type === 'object' ? [EmptyList] : []), Empty];
  return Type.Optional(Type.Union(variants as TSchema[], description === undefined ? {} : { description }));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
