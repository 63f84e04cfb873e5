/** OpenAPI 3.0, as far as we look inside. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** What they hold is no schema. */
const EXAMPLES: ReadonlySet<string> = new Set(['example', 'examples']);

/**
 * Gives every schema that has a title a place of its own, from which client generators make a type, and leaves a
 * reference to it, with what it says for that place.
 *
 * @param tree of OpenAPI 3.0, such as its paths
 * @throws Error when two schemas of one title are not the same
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
    // A property of this name.
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
