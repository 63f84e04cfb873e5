import { Kind, OptionalKind, type TSchema } from '@sinclair/typebox';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { plainIntegersOf } from './body-source.ts';

/**
 * Puts values into the form of a schema, in place.
 *
 * @param plain the same value with nothing but plain integers as numbers; undefined until it is needed
 * @returns whether a number is in the place of an identifier, for which `plain` is needed
 */
type Walk = (value: unknown, plain: unknown) => boolean;

/** Whether a client left a value empty: PHP, Python and JavaScript clients write null or an empty string for what they lack. */
export const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && trimInvisible(value) === '');

/**
 * Reads a body of this schema as clients write it, in lists and nested objects too. Optional fields that a client left empty are removed;
 * in a map of names to values, null counts as empty and an empty string is a value. An integer in place of an identifier, which is a text with
 * a pattern, is that integer in digits: identifiers are numbers in many databases. One that was written with a fraction or an exponent may have lost digits, and stays.
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
  for (const [name, held] of Object.entries(value)) if (held === null) delete value[name];
  return false;
};

/** Writes an integer as text, once it is known how the client wrote it. */
function writeInteger(holder: object, place: string | number, plain: unknown): boolean {
  if (typeof at(holder, place) !== 'number') return false;
  const integer = at(plain, place);
  if (typeof integer === 'number') Object.assign(holder, { [place]: String(integer) });
  return true;
}

/** Whether a text is an identifier, whose pattern is its form. The `text` of fields.ts, such as a domain, is checked by a domain rule. */
export const isIdentifier = (schema: TSchema): boolean =>
  schema[Kind] === 'String' && schema.pattern !== undefined;

const at = (holder: unknown, place: string | number): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, place)
    ? (holder as Readonly<Record<string | number, unknown>>)[place]
    : undefined;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
