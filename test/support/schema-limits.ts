import { bodyProblem, type Contract } from './conformance.ts';

/** The part of a schema that defines its limits. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A value to send, and whether the contract admits it. */
export interface Tried {
  readonly what: string;
  readonly value: unknown;
  readonly isValid: boolean;
}

/** Longer ones would be refused for their length in bytes. */
const CHARACTERS_MAX = 3_000;
const WRONG_TYPES: readonly unknown[] = [null, '', ' ', 'nothing', 0, -1, 1.5, true, [], {}];

/** The possible schemas of a value, without references. */
function variantsOf(schema: Schema, contract: Contract): readonly Schema[] {
  const { schemas } = contract.components as { readonly schemas: Readonly<Record<string, Schema>> };
  const own = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const { anyOf = [], allOf = [], ...rest } = own;
  const inner = [...anyOf, ...allOf].flatMap((each) => variantsOf(each, contract));
  return inner.length > 0 ? [...inner, rest] : [rest];
}

const around = (...limits: readonly (number | undefined)[]): readonly number[] => [
  ...new Set(limits.filter((limit) => limit !== undefined).flatMap((limit) => [limit - 1, limit, limit + 1])),
];

/** Values at each limit of a schema and just beyond it, and of other types. */
function valuesOf(schema: Schema, shown: unknown, contract: Contract): readonly unknown[] {
  const ofVariants = variantsOf(schema, contract).flatMap((variant): readonly unknown[] => {
    const { minLength, maxLength, minimum, maximum, minItems, maxItems } = variant;
    const lengths = around(minLength, maxLength).filter((length) => length >= 0 && length <= CHARACTERS_MAX);
    const [item] = Array.isArray(shown) ? shown : [];
    return [
      ...lengths.map((length) => 'a'.repeat(length)),
      ...around(minimum, maximum),
      ...(variant.enum ?? []),
      ...(item === undefined
        ? []
        : around(minItems, maxItems).filter((length) => length >= 0 && length <= 1_001)
      ).map((length) => Array(length).fill(item)),
    ];
  });
  return [
    ...new Map([...ofVariants, ...WRONG_TYPES].map((value) => [JSON.stringify(value), value])).values(),
  ];
}

/** The places of a body, with the schema of each: of all fields in its schema, and of the first item of a list. */
function* placesOf(
  value: unknown,
  schema: Schema,
  contract: Contract,
  path: readonly (string | number)[] = [],
): Generator<readonly [path: readonly (string | number)[], schema: Schema, shown: unknown]> {
  if (path.length > 0) yield [path, schema, value];
  for (const variant of variantsOf(schema, contract)) {
    if (variant.properties && typeof value === 'object' && value !== null) {
      for (const [name, field] of Object.entries(variant.properties))
        yield* placesOf((value as Record<string, unknown>)[name], field, contract, [...path, name]);
    }
    if (variant.items && Array.isArray(value) && value.length > 0)
      yield* placesOf(value[0], variant.items, contract, [...path, 0]);
  }
}

function withAt(body: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((each, name) => each[name] as Record<string, unknown>, copy);
  const name = path.at(-1) ?? '';
  if (value === undefined) delete holder[name];
  else holder[name] = value;
  return copy;
}

/**
 * Bodies that differ from an example in one place: by a value at a limit, beyond it or of another type, or by
 * a missing or unknown field.
 */
export function triedBodies(example: object, schema: object, contract: Contract): readonly Tried[] {
  const bodies = new Map<string, string>();
  const add = (what: string, body: unknown) => bodies.set(JSON.stringify(body), what);
  add('an unknown field', { ...example, unknownField: 1 });
  for (const [path, own, shown] of placesOf(example, schema, contract)) {
    const place = path.join('.');
    add(`without ${place}`, withAt(example, path, undefined));
    for (const value of valuesOf(own, shown, contract))
      add(`${place} = ${JSON.stringify(value).slice(0, 60)}`, withAt(example, path, value));
  }
  return [...bodies].map(([json, what]) => {
    const value = JSON.parse(json) as unknown;
    return { what, value, isValid: bodyProblem(schema, value, contract) === undefined };
  });
}

/** Values of a query parameter, as texts: numbers are sent as digits. */
export function triedTexts(schema: object, contract: Contract): readonly Tried[] {
  const { type } = schema as Schema;
  return valuesOf(schema as Schema, undefined, contract)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map((each) => {
      const value = String(each);
      const meant = type === 'integer' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
      return { what: value.slice(0, 60), value, isValid: bodyProblem(schema, meant, contract) === undefined };
    });
}
