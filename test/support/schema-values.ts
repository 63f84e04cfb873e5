import { Kind, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';

/** Any value of a schema. */
export function bodyOf(schema: TSchema): fc.Arbitrary<unknown> {
  switch (schema[Kind]) {
    case 'Literal':
      return fc.constant(schema.const);
    case 'Union':
      return fc.oneof(...(schema.anyOf as TSchema[]).map(bodyOf));
    case 'Integer':
      return fc.integer({ min: schema.minimum, max: schema.maximum });
    case 'Number':
      return fc.double({ min: schema.minimum, max: schema.maximum, noNaN: true });
    case 'Boolean':
      return fc.boolean();
    case 'Array':
      return fc.array(bodyOf(schema.items), { maxLength: 8 });
    case 'Object': {
      const fields = Object.entries(schema.properties as Record<string, TSchema>);
      return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, fieldOf(name, field)])), {
        requiredKeys: schema.required ?? [],
        noNullPrototype: true,
      });
    }
    case 'String':
      return schema.format === 'date-time'
        ? fc
            .date({ noInvalidDate: true, min: new Date(0), max: new Date('2099-12-31') })
            .map((at) => at.toISOString())
        : fc.stringMatching(new RegExp(schema.pattern)).filter((text) => text.length <= 128);
    case 'Unknown':
      return fc.constant('opaque-hash-token');
    default:
      throw new Error(`no values for ${schema[Kind]}`);
  }
}

/** The pattern of versions is wider than usual versions. */
const version = fc
  .tuple(fc.nat(99), fc.nat(99), fc.nat(9_999), fc.constantFrom('', '-rc.2', '-beta', '+5114f85'))
  .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`);

const fieldOf = (name: string, schema: TSchema) => (name === 'agentVersion' ? version : bodyOf(schema));
