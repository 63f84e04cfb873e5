import { OptionalKind, type TSchema, Type } from '@sinclair/typebox';
import { INVISIBLE_PATTERN } from '../../lib/trim-invisible.ts';
import { isIdentifier } from '../client-values.ts';

/** An additional form of optional fields in the contract. */
export const Empty = Type.Union([Type.String({ pattern: INVISIBLE_PATTERN }), Type.Null()], {
  title: 'Empty',
  description: 'treated as absent',
});
const EmptyList = Type.Array(Type.Unknown(), {
  maxItems: 0,
  title: 'EmptyList',
  description: 'an empty array, read as an empty object (PHP)',
});

/** The schema in the contract, including all values that {@link asClientsWrite} converts. */
export function withClientValues<Schema extends TSchema>(schema: Schema): Schema {
  return shown(schema) as Schema;
}

function shown(schema: TSchema): TSchema {
  const { type, properties, patternProperties, items, anyOf } = schema;
  if (type === 'array') return { ...schema, items: shown(items) };
  if (anyOf !== undefined) return { ...schema, anyOf: (anyOf as TSchema[]).map(shown) };
  if (patternProperties !== undefined) {
    const values = Object.entries(patternProperties as Readonly<Record<string, TSchema>>);
    const withNull = values.map(([name, value]) => [name, Type.Union([value, Empty])]);
    return { ...schema, patternProperties: Object.fromEntries(withNull) };
  }
  if (isIdentifier(schema)) return shownIdentifier(schema);
  if (type !== 'object' || properties === undefined) return schema;
  const fields = Object.entries(properties as Readonly<Record<string, TSchema>>);
  return {
    ...schema,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, shownField(field)])),
  };
}

function shownField(field: TSchema): TSchema {
  const { description, ...rest } = shown(field);
  const variants = [
    ...(rest.anyOf === undefined ? [rest] : (rest.anyOf as TSchema[])),
    ...(OptionalKind in field && rest.type === 'object' ? [EmptyList] : []),
    ...(OptionalKind in field ? [Empty] : []),
  ] as TSchema[];
  const described = description === undefined ? {} : { description };
  const value = variants.length === 1 ? { ...rest, ...described } : Type.Union(variants, described);
  return OptionalKind in field ? Type.Optional(value as TSchema) : (value as TSchema);
}

const GREATEST = Number.MAX_SAFE_INTEGER;
/** The smallest integer of each length. */
const SHORTEST = [0, ...Array.from({ length: 16 }, (_, zeros) => 10 ** zeros)];

/** Adds the ranges of integers whose digits match the pattern of an identifier. */
function shownIdentifier(schema: TSchema): TSchema {
  const form = new RegExp(schema.pattern);
  const takes = (integer: number) => form.test(String(integer));
  const from = SHORTEST.find(takes);
  const upTo = SHORTEST.map((integer) => -integer).find((integer) => integer < 0 && takes(integer));
  const { description, ...text } = schema;
  const variants = [text as TSchema, ...integersOf(from, upTo)];
  if (variants.length === 1) return schema;
  return Type.Union(variants, description === undefined ? {} : { description });
}

/** Integers from `from` upwards, and from `upTo` downwards. */
function integersOf(from: number | undefined, upTo: number | undefined): readonly TSchema[] {
  if (from === 0 && upTo === -1) return [Type.Integer({ minimum: -GREATEST, maximum: GREATEST })];
  return [
    ...(upTo === undefined ? [] : [Type.Integer({ minimum: -GREATEST, maximum: upTo })]),
    ...(from === undefined ? [] : [Type.Integer({ minimum: from, maximum: GREATEST })]),
  ];
}
