import { expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { t } from 'elysia';
import fc from 'fast-check';
import { customerNote, NOTE_PATTERN } from '../../src/domain/license/customer.ts';
import { canonicalEmail, EMAIL_TEXT } from '../../src/domain/license/email.ts';
import { inspectComponents } from '../../src/domain/privacy/components.ts';
import { normalizeSiteDomain, SITE_TEXT } from '../../src/domain/site/site-domain.ts';
import { PUBLIC_COMPONENT_NAME } from '../../src/domain/vulnerability/component.ts';
import { isEmpty } from '../../src/http/client-values.ts';
import { withClientValues } from '../../src/http/contract/client-values.ts';
import { CURSOR } from '../../src/http/cursor.ts';
import { INVISIBLE_PATTERN } from '../../src/lib/trim-invisible.ts';

/** Patterns that fast-check cannot generate from, and uses only as filters. */
const LOOKAHEADS = /\(\?[=!](?:[^()]|\([^()]*\))*\)/g;
const matching = (pattern: RegExp) =>
  fc
    .stringMatching(new RegExp(pattern.source.replaceAll(LOOKAHEADS, '')))
    .filter((text) => pattern.test(text));
/** Random labels can be invalid Punycode, which no pattern can detect. */
const isPunycode = (text: string) => /(?:^|[/.])xn--/i.test(text);

test('every domain and URL that the contract admits is accepted as a site', () => {
  fc.assert(
    fc.property(matching(SITE_TEXT), (text) => {
      fc.pre(!isPunycode(text));
      expect([text, normalizeSiteDomain(text)]).toEqual([text, expect.anything()]);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['https://Shop.example:8443/a?b#c', true],
  ['localhost', true],
  ['LocalHost:80', true],
  ['127.0.0.1/x', true],
  ['a_b.example', true],
  ['0', false],
  ['127.1', false],
  ['example', false],
  ['a.1', false],
  ['-a.com', false],
  ['256.1.1.1', false],
  ['a.com:65536', false],
  ['exa mple.com', false],
  ['user@host.com', false],
  [`${'a.'.repeat(126)}aa`, false],
  [`${'a.'.repeat(126)}a`, true],
])('%j is a site in the contract and in the service', (text, isSite) => {
  expect([SITE_TEXT.test(text), normalizeSiteDomain(text) !== undefined]).toEqual([isSite, isSite]);
});

test('every e-mail address that the contract admits is accepted', () => {
  const providers = /@(?:gmail|googlemail|proton|protonmail|pm)\./i;
  fc.assert(
    fc.property(matching(EMAIL_TEXT), (text) => {
      fc.pre(!providers.test(text));
      expect([text, canonicalEmail(text)]).toEqual([text, expect.any(String)]);
    }),
    { numRuns: 1_000 },
  );
});

test('a text is a note in the contract exactly when it is one in the service', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom(' ', '\u00a0\u3000', '\ufeff', 'a\nb', 'a\u2028', '\u202ea', ' a ', '\u200f'),
    fc
      .array(fc.constantFrom(...'\u200b\ufe0f\u3164\u2028\u00a0\t a'.split('')), { maxLength: 5 })
      .map((some) => some.join('')),
  );
  fc.assert(
    fc.property(text, (note) => {
      fc.pre(note.isWellFormed() && note.trim().normalize().length <= 500);
      expect([note, new RegExp(NOTE_PATTERN).test(note)]).toEqual([
        note,
        customerNote(note, 500) !== undefined,
      ]);
    }),
    { numRuns: 1_000 },
  );
});

test('a text is empty in the contract exactly when it counts as absent', () => {
  const characters = fc.constantFrom(
    ...'\t\n\r \u0085\u00a0\u00ad\u061c\u180e\u200b\u2060\ufeff\ufe0f\u3164\u2800a0\u0001'.split(''),
  );
  fc.assert(
    fc.property(fc.array(characters, { maxLength: 4 }), (parts) => {
      const text = parts.join('');
      expect([text, new RegExp(INVISIBLE_PATTERN).test(text)]).toEqual([text, isEmpty(text)]);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '^[A-Za-z0-9._:-]{1,128}$',
  '^[A-Za-z0-9_-]{16,128}$',
  '^[a-z0-9][a-z0-9.:-]{0,63}$',
  '^[1-9][0-9]{3,15}$',
  '^[a-z]+$',
])('an integer is an identifier of the form %s in the contract exactly when its digits are', (pattern) => {
  const schema = withClientValues(t.String({ pattern }));
  const lengths = Array.from({ length: 16 }, (_, zeros) => 10 ** zeros);
  const limits = [0, Number.MAX_SAFE_INTEGER, ...lengths, ...lengths.map((integer) => integer - 1)];
  const integer = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(...limits.flatMap((each) => [each, -each])));
  fc.assert(
    fc.property(integer, (each) => {
      const taken = new RegExp(pattern).test(String(each));
      expect([each, Value.Check(schema, each)]).toEqual([each, taken]);
    }),
    { numRuns: 1_000 },
  );
});

test('every name of a component that the contract admits passes the privacy rules, in any ecosystem', () => {
  fc.assert(
    fc.property(
      matching(PUBLIC_COMPONENT_NAME),
      fc.constantFrom('npm', 'pypi', 'wordpress-plugin', 'debian:12', 'cargo'),
      (name, ecosystem) => {
        const components = [{ ecosystem, name, version: '1.0' }];
        expect([name, inspectComponents({ components })]).toEqual([name, undefined]);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('the form of a cursor is that of 16 bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64url');
      expect([text, CURSOR.test(text)]).toEqual([text, true]);
    }),
  );
  fc.assert(
    fc.property(matching(CURSOR), (text) => {
      expect(Buffer.from(text, 'base64url').toString('base64url')).toBe(text);
    }),
  );
});
