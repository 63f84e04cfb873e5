import { bodyProblem, type Contract } from './conformance.ts';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}
interface Holder {
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}
interface Described extends Contract {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const jsonIn = (holder: Holder | undefined) => holder?.content?.['application/json'];

/**
 * Gaps in a contract for client generators and readers: bodies and list items without a name; parameters and
 * fields without a description; answers without a valid example.
 */
export function gapsIn(document: Described): string[] {
  const { schemas } = document.components;
  const nameOf = (schema: Schema | undefined): string => schema?.$ref?.split('/').at(-1) ?? '';
  const resolved = (schema: Schema | undefined): Schema | undefined => schemas[nameOf(schema)] ?? schema;
  const isNamed = (schema: Schema) => nameOf(schema) in schemas;

  /** The envelope's fields need no description. */
  const undescribed = (schema: Schema | undefined, place: string): string[] => {
    const { properties = {}, items, anyOf = [], allOf = [] } = resolved(schema) ?? {};
    return [
      ...Object.entries(properties).flatMap(([name, field]) => [
        ...(resolved(field)?.description || /^(success|data|error)$/.test(name) ? [] : [`${place} ${name}`]),
        ...undescribed(field, `${place} ${name}`),
      ]),
      ...[...(items ? [items] : []), ...anyOf, ...allOf].flatMap((inner) => undescribed(inner, place)),
    ];
  };

  const inOperations = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ parameters = [], requestBody, responses }) => {
      const [asked, ...answers] = [requestBody, ...Object.values(responses)].map((each) =>
        jsonIn(each as Holder),
      );
      const taken = [asked, jsonIn((responses[200] ?? responses[202]) as Holder)];
      return [
        ...taken.flatMap((body) => (body && !isNamed(body.schema) ? `${path}: a body without a name` : [])),
        ...parameters.flatMap(({ name, description }) => (description ? [] : `${path} ?${name}`)),
        ...[asked, ...answers].flatMap((body) => undescribed(body?.schema, path)),
        ...answers.flatMap((body) => {
          const problem = body && bodyProblem(body.schema, body.example, document);
          return problem === undefined ? [] : `${path}: the example of an answer: ${problem}`;
        }),
      ];
    }),
  );
  const inLists = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.values(properties).flatMap(({ items }) =>
      items && resolved(items)?.properties && !isNamed(items) ? `${name}: a list of what has no name` : [],
    ),
  );
  return [...inOperations, ...inLists];
}

/** The components of a contract without references. */
export const unusedIn = (document: Described): string[] => {
  const text = JSON.stringify(document);
  return Object.keys(document.components.schemas).filter(
    (name) => !text.includes(`"#/components/schemas/${name}"`),
  );
};

/** The objects of example answers that accept a field outside the contract, as `path status: place`. */
export const openIn = (document: Described): string[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, answer]) => {
        const body = jsonIn(answer as Holder);
        if (body === undefined) return [];
        return withUnknownField(body.example)
          .filter(({ value }) => bodyProblem(body.schema, value, document) === undefined)
          .map(({ place }) => `${path} ${status}: ${place}`);
      }),
    ),
  );

/** Copies of a value, each with an unknown field in another object. */
function withUnknownField(value: unknown, place = ''): { readonly place: string; readonly value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, each]) =>
    withUnknownField(each, `${place}/${name}`).map((changed) => ({
      place: changed.place,
      value: Array.isArray(value)
        ? value.with(Number(name), changed.value)
        : { ...value, [name]: changed.value },
    })),
  );
  return Array.isArray(value) ? inner : [{ place, value: { ...value, unknownField: 1 } }, ...inner];
}
