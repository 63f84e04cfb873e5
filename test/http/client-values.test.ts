import { expect, test } from 'bun:test';
import { t } from 'elysia';
import { asClientsWrite } from '../../src/http/client-values.ts';

const omit = asClientsWrite(
  t.Object({
    needed: t.String(),
    text: t.Optional(t.String()),
    amount: t.Optional(t.Number()),
    flag: t.Optional(t.Boolean()),
    list: t.Optional(t.Array(t.Object({ needed: t.String(), text: t.Optional(t.String()) }))),
    inner: t.Optional(t.Object({ text: t.Optional(t.String()) })),
    free: t.Optional(t.Object({})),
    map: t.Optional(t.Record(t.String({ pattern: '^[a-z]$' }), t.Number())),
  }),
);
const after = (body: unknown) => {
  omit(body);
  return body;
};

const OMITTED: [object, object][] = [
  ...[null, '', ' ', '\n\t', '\u200b\ufeff'].map((empty): [object, object] => [
    { text: empty, flag: empty, amount: empty },
    {},
  ]),
  [{ list: null, inner: null, free: null, map: '' }, {}],
  [{ list: [{ needed: 'a', text: null }, { text: '' }, null, 7] }, { list: [{ needed: 'a' }, {}, null, 7] }],
  [{ inner: { text: '' } }, { inner: {} }],
  [{ map: { a: null, b: 0 } }, { map: { b: 0 } }],
];

test.each(OMITTED)('%j becomes %j', (body, expected) => {
  expect(after(body)).toEqual(expected);
});

test.each([
  { needed: null },
  { needed: '' },
  { text: 'a', amount: 0, flag: false },
  { text: 0, list: {}, inner: [] },
  { list: [{ needed: null }] },
  { free: { a: null, b: '' } },
  { map: { a: '' } },
  { unknown: null },
  null,
  '',
  [null],
])('%j is unchanged', (body) => {
  const before = structuredClone(body);
  expect(after(body)).toEqual(before);
});
