import { describe, expect, test } from 'bun:test';
import { Kind, type TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import fc from 'fast-check';
import { inspect } from '../../src/domain/privacy/gate.ts';
import * as signals from '../../src/signals/index.ts';
import { bodyOf } from '../support/schema-values.ts';

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

  test('every field has its meaning, unit and range', () => {
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

  test('its answer has its own schema', () => {
    const [example] = signal.body.examples;
    const received = signal.receive(example, { identity: 'i', receivedAt: new Date(0).toISOString() });
    expect('answer' in received && TypeCompiler.Compile(signal.answer).Check(received.answer)).toBe(true);
  });
});
