import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseStrictJson } from '../../src/lib/strict-json.ts';

const DEPTH_MAX = 5;

test('JSON written by the runtime is read unchanged, at any spacing', () => {
  const values = fc.jsonValue({ maxDepth: DEPTH_MAX - 1 }).map((value) => JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(values, fc.constantFrom('', ' ', '\t', '\n'), (value, space) => {
      expect(parseStrictJson(JSON.stringify(value, null, space), DEPTH_MAX)).toEqual(value);
    }),
  );
});

test.each([
  ['{"a":1,"a":2}', 'a repeated name'],
  ['{"a":1, "\\u0061" : 2}', 'a repeated name, once escaped'],
  ['{"x":{"b":1,"c":[{"d":1}],"b":2}}', 'a repeated name further in'],
  ['{"__proto__":1,"__proto__":2}', 'a repeated name of every object'],
  ['["\\ud800"]', 'a lone surrogate'],
  ['{"\\udc00":1}', 'a lone surrogate in a name'],
  ['[[[[[[1]]]]]]', 'one level too deep'],
  ['{"a":1', 'an unterminated object'],
  ['{"a":1}}', 'more than one value'],
  ['["a', 'an unterminated string'],
  ['"a\\', 'an unterminated escape'],
  ['\ufeff{}', 'a byte order mark'],
  ['', 'nothing'],
])('%s is refused: %s', (text) => {
  expect(parseStrictJson(text, DEPTH_MAX)).toBeUndefined();
});

test.each([
  '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
  '["a","a",{"a":"a"}]',
  '{"a":"b","b":"a"}',
  '["{\\"a\\":1,\\"a\\":1}", "[[[[[[["]',
  '[[[[[1]]]]]',
  '["\\ud83d\\ude00"]',
])('%s is read', (text) => {
  expect(parseStrictJson(text, DEPTH_MAX)).toEqual(JSON.parse(text));
});

test('a text of only brackets is refused without a stack of its depth', () => {
  expect(parseStrictJson('['.repeat(1_000_000), DEPTH_MAX)).toBeUndefined();
});
