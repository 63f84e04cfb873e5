import type { Contract } from './conformance.ts';

/** The part of a schema that describes its fields. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A place in a body for a text or a number. */
interface Place {
  readonly path: readonly string[];
  readonly kind: 'text' | 'number';
}

const HALVES_AND_NUL = ['\\u0000', '\\ud83d', '\\ude00'];
/** Texts that cannot be stored unchanged, in JSON notation. */
export const BROKEN_TEXTS = HALVES_AND_NUL.flatMap((broken) => [
  `"${broken}bc"`,
  `"b${broken}c"`,
  `"bc${broken}"`,
]);
/** Values around the limits of a double and of 64 bits, in JSON notation. */
export const EDGE_NUMBERS = [
  ...['0', '-0', '-1', '1.5', '1e-7', '9007199254740991', '9007199254740992', '9223372036854775807'],
  ...['9223372036854775808', '-9223372036854775809', '1e308', '-1e308', '1e999'],
];

const MARK = '@@mark@@';
const placesIn = (value: unknown, path: readonly string[] = []): readonly Place[] => {
  if (typeof value === 'string') return [{ path, kind: 'text' }];
  if (typeof value === 'number') return [{ path, kind: 'number' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]));
};
const objectsIn = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, each]) => objectsIn(each, [...path, name]));
  return Array.isArray(value) ? inner : [path, ...inner];
};

/** The example as JSON with another value at a place, in JSON notation. */
function withAt(example: object, path: readonly string[], json: string): string {
  const copy = structuredClone(example) as Record<string, unknown>;
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((each, name) => each[name] as Record<string, unknown>, copy);
  holder[path.at(-1) ?? ''] = MARK;
  return JSON.stringify(copy).replace(JSON.stringify(MARK), () => json);
}

/** The places of an example: one of several equal ones in a list, and those of missing fields. */
function placesOf(example: object, schema: Schema, contract: Contract): readonly Place[] {
  const shown = new Map(placesIn(example).map((place) => [patternOf(place), place]));
  const others = fieldsOf(schema, contract).filter(([name]) => !Object.hasOwn(example, name));
  return [...shown.values(), ...others.flatMap(([name, field]) => placeOf(name, field))];
}

const patternOf = ({ path }: Place): string => path.join('.').replace(/\b\d+\b/g, '[]');

function fieldsOf(schema: Schema, contract: Contract): readonly (readonly [string, Schema])[] {
  const { schemas } = contract.components as { readonly schemas: Readonly<Record<string, Schema>> };
  const { properties = {}, anyOf = [] } = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  return [...Object.entries(properties), ...anyOf.flatMap((each) => fieldsOf(each, contract))];
}

function placeOf(name: string, { type, anyOf = [] }: Schema): Place[] {
  const types = [type, ...anyOf.map((each) => each.type)];
  if (types.includes('integer') || types.includes('number')) return [{ path: [name], kind: 'number' }];
  return types.includes('string') ? [{ path: [name], kind: 'text' }] : [];
}

/** A body with its unusual value. */
export interface OddBody {
  readonly what: string;
  readonly json: string;
}

/** Bodies that differ from an example in one text or name that cannot be stored unchanged. */
export const brokenBodies = (example: object, schema: object, contract: Contract): readonly OddBody[] => [
  ...placesOf(example, schema, contract).flatMap(({ path, kind }) =>
    (kind === 'text' ? BROKEN_TEXTS : BROKEN_TEXTS.slice(1, 2)).map((json) => ({
      what: `${path.join('.')} = ${json}`,
      json: withAt(example, path, json),
    })),
  ),
  ...objectsIn(example).flatMap((path) =>
    HALVES_AND_NUL.flatMap((broken) => [
      { what: `${path.join('.')}: the name x${broken}`, json: withName(example, path, `x${broken}`) },
      {
        what: `${path.join('.')}: deep, ${broken}`,
        json: withAt(example, [...path, 'x'], `{"y":[{"z":"${broken}"}]}`),
      },
    ]),
  ),
];

const withName = (example: object, path: readonly string[], name: string): string =>
  withAt(example, [...path, MARK], '1').replace(MARK, () => name);

/** Bodies that differ from an example in one number. */
export const edgeBodies = (example: object, schema: object, contract: Contract): readonly OddBody[] =>
  placesOf(example, schema, contract).flatMap(({ path, kind }) =>
    (kind === 'number' ? EDGE_NUMBERS : EDGE_NUMBERS.slice(8, 9)).map((json) => ({
      what: `${path.join('.')} = ${json}`,
      json: withAt(example, path, json),
    })),
  );
