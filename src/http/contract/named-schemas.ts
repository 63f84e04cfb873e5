/** The parts of OpenAPI 3.0 used here. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Properties that do not contain schemas. */
const EXAMPLES: ReadonlySet<string> = new Set(['example', 'examples']);

/**
 * Moves each schema with a title to `components`, so that client generators create a named type, and replaces it by a
 * reference. The reference keeps its own description.
 *
 * @param tree part of an OpenAPI 3.0 document, such as its paths
 * @throws Error if two schemas with the same title differ
 */
export function gatherNamed(tree: JsonObject): {
  readonly schemas: JsonObject;
  readonly referring: JsonObject;
} {
  const schemas: Record<string, JsonObject> = {};

  const refer = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(refer);
    if (typeof node !== 'object' || node === null) return node;
    const inside = Object.entries(node).map(([name, value]) => [
      name,
      EXAMPLES.has(name) ? value : refer(value),
    ]);
    const { title, ...schema } = Object.fromEntries(inside);
    if (typeof title === 'string') return place(title, schema);
    // A string is the schema's title; anything else is a property named `title`.
    return title === undefined ? schema : { title, ...schema };
  };

  const place = (title: string, schema: JsonObject): JsonObject => {
    const known = schemas[title] ?? schema;
    if (contentOf(known) !== contentOf(schema)) throw new Error(`two schemas have the name ${title}`);
    schemas[title] = known.description === undefined ? schema : known;
    const reference = { $ref: `#/components/schemas/${title}` };
    const { description } = schema;
    const isSaid = description === undefined || description === schemas[title].description;
    return isSaid ? reference : { allOf: [reference], description };
  };

  return { referring: refer(tree) as JsonObject, schemas };
}

const contentOf = ({ description: _, ...content }: JsonObject): string => JSON.stringify(content);
