import { describe, expect, test } from 'bun:test';
import { Kind, type TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import fc from 'fast-check';
import { inspect } from '../../src/domain/privacy/gate.ts';
import * as signals from '../../src/signals/index.ts';

/** Any value of a schema. */
function bodyOf(schema: TSchema): fc.Arbitrary<unknown> {
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

/** The pattern of versions is wider than what anybody would call one. */
const version = fc
  .tuple(fc.nat(99), fc.nat(99), fc.nat(9_999), fc.constantFrom('', '-rc.2', '-beta', '+5114f85'))
  .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`);

const fieldOf = (name: string, schema: TSchema) => (name === 'agentVersion' ? version : bodyOf(schema));

const SIGNALS = Object.values(signals);

describe.each(SIGNALS.map((signal) => [signal.path, signal] as const))('%s', (_, signal) => {
  test('no body of its vocabulary is refused by its own privacy gate', () => {
    fc.assert(
      fc.property(bodyOf(signal.body), (body) => {
        expect(inspect(body, signal.privacy)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  test('every field says what it means, in which unit and range', () => {
    const undocumented = (schema: TSchema, path: string): string[] => {
      const own = schema.description === undefined ? [path] : [];
      if (schema[Kind] === 'Object') {
        return Object.entries(schema.properties as Record<string, TSchema>).flatMap(([name, field]) =>
          undocumented(field, `${path}.${name}`),
        );
      }
      if (schema[Kind] === 'Array') return [...own, ...undocumented(schema.items, `${path}[]`)];
      const unbounded = /^(?:Integer|Number)$/.test(schema[Kind]) && schema.maximum === undefined;
      return unbounded ? [path] : own;
    };
    expect(undocumented(signal.body, '')).toEqual([]);
  });

  test('its answer is of its own schema', () => {
    const [example] = signal.body.examples;
    const received = signal.receive(example, { identity: 'i', receivedAt: new Date(0).toISOString() });
    expect('answer' in received && TypeCompiler.Compile(signal.answer).Check(received.answer)).toBe(true);
  });
});
