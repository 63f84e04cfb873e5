import { Kind, OptionalKind, type TSchema } from '@sinclair/typebox';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { plainIntegersOf } from './body-source.ts';

/**
 * Converts values in place to the types of a schema.
 *
 * @param plain the same value, with null for numbers other than plain integers; undefined in the first pass
 * @returns whether a number was found where the schema has an identifier, so that a second pass with `plain` is needed
 */
type Walk = (value: unknown, plain: unknown) => boolean;

/** Whether a value is null or an empty string, which PHP, Python and JavaScript clients send for missing values. */
export const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && trimInvisible(value) === '');

/**
 * Converts bodies as clients write them, including nested objects and lists. Removes optional fields that are empty; in maps,
 * only null counts as empty. Converts integers to strings in the place of identifiers (strings with a pattern), because many
 * databases use numeric identifiers. Numbers with a fraction or an exponent may have lost digits and are left as they are.
 */
export function asClientsWrite(schema: TSchema): (body: unknown) => void {
  const walk = walkOf(schema);
  return (body) => {
    if (walk?.(body, undefined)) walk(body, plainIntegersOf(body));
  };
}

function walkOf({ type, properties, patternProperties, items }: TSchema): Walk | undefined {
  if (type === 'array') return walkOfItems(items);
  if (patternProperties !== undefined) return omitNulls;
  if (type !== 'object' || properties === undefined) return undefined;
  const fields = Object.entries(properties as Readonly<Record<string, TSchema>>);
  const optional = fields.flatMap(([name, field]) => (OptionalKind in field ? [name] : []));
  const identifiers = fields.flatMap(([name, field]) => (isIdentifier(field) ? [name] : []));
  const inner = fields.flatMap(([name, field]) => {
    const walk = walkOf(field);
    return walk ? [[name, walk] as const] : [];
  });
  if (optional.length + identifiers.length + inner.length === 0) return undefined;
  return (value, plain) => {
    if (!isObject(value)) return false;
    let isNeeded = false;
    for (const name of optional) if (name in value && isEmpty(value[name])) delete value[name];
    for (const name of identifiers) isNeeded = writeInteger(value, name, plain) || isNeeded;
    for (const [name, walk] of inner) {
      if (name in value) isNeeded = walk(value[name], at(plain, name)) || isNeeded;
    }
    return isNeeded;
  };
}

function walkOfItems(items: TSchema): Walk | undefined {
  const walk = walkOf(items);
  if (walk === undefined && !isIdentifier(items)) return undefined;
  return (value, plain) => {
    if (!Array.isArray(value)) return false;
    let isNeeded = false;
    for (const [place, item] of value.entries()) {
      const needs = walk ? walk(item, at(plain, place)) : writeInteger(value, place, plain);
      isNeeded = needs || isNeeded;
    }
    return isNeeded;
  };
}

const omitNulls: Walk = (value) => {
  if (!isObject(value)) return false;
  for (const [name, entry] of Object.entries(value)) if (entry === null) delete value[name];
  return false;
};

/** Replaces an integer by its digits, if `plain` confirms that the client sent an integer. */
function writeInteger(holder: object, place: string | number, plain: unknown): boolean {
  if (typeof at(holder, place) !== 'number') return false;
  const integer = at(plain, place);
  if (typeof integer === 'number') Object.assign(holder, { [place]: String(integer) });
  return true;
}

/** Whether a schema is an identifier: a string with a pattern. `text` fields (fields.ts) are not; domain rules check them. */
export const isIdentifier = (schema: TSchema): boolean =>
  schema[Kind] === 'String' && schema.pattern !== undefined;

const at = (holder: unknown, place: string | number): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, place)
    ? (holder as Readonly<Record<string | number, unknown>>)[place]
    : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
