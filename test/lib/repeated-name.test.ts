import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { repeatedName } from '../../src/lib/strict-json.ts';

test.each([
  ['{"a":1,"a":2}', '/a'],
  ['{"a":{"b":1,"c":[{"d":1},{"d":1}],"b":2}}', '/a/b'],
  ['[{"a":1},{"a":1,"\\u0061":2}]', '//a'],
  ['{"a":"\\"b\\":","b":{"a":"{"},"b" : 1}', '/b'],
  ['{"":1,"":2}', '/'],
  ['{"__proto__":1,"__proto__":2}', '/__proto__'],
])('%s repeats %s', (json, place) => {
  expect(repeatedName(json)).toBe(place);
});

test('JSON of a value never repeats a name, at any depth and in any notation', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, spaces) => {
      expect(repeatedName(JSON.stringify(value, null, spaces))).toBeUndefined();
    }),
  );
});

test('a repeated name in any object is found', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(object, fc.nat(), (value, which) => {
      const names = Object.keys(value);
      const name = names[which % names.length] ?? '';
      const again = `{${JSON.stringify(name)}:null,${JSON.stringify(value).slice(1)}`;
      expect(repeatedName(again)).toBe(`/${name}`);
    }),
  );
});
