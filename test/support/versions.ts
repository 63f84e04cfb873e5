import fc from 'fast-check';
import type { Ecosystem } from '../../src/domain/vulnerability/ecosystem.ts';

/** Small numbers that often coincide, as written, and ones that a double cannot distinguish. */
const small = fc.constantFrom('0', '1', '2', '9', '10', '00', '01', '20260101');
const large = fc.constantFrom('9007199254740992', '9007199254740993', '9'.repeat(30), `${'9'.repeat(29)}8`);
const number = fc.oneof({ arbitrary: small, weight: 8 }, { arbitrary: large, weight: 1 });
const plain = fc.constantFrom('0', '1', '2', '9', '10', '20260101');
const joined = (parts: fc.Arbitrary<string>, maxLength: number, separator = '.') =>
  fc.array(parts, { minLength: 1, maxLength }).map((all) => all.join(separator));
const maybe = (text: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), text);
const concat = (...texts: fc.Arbitrary<string>[]) => fc.tuple(...texts).map((all) => all.join(''));

const words = 'dev alpha a alphabet beta b bet RC rc Rc pl p patch foo x Beta'.split(' ');
const wordpressOf = (numbers: fc.Arbitrary<string>) =>
  concat(
    joined(numbers, 4),
    fc
      .array(
        fc.oneof(
          concat(fc.constantFrom('.', '-', '_', '+', ''), fc.constantFrom(...words)),
          concat(fc.constantFrom('.', '-', '_'), numbers),
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.join('')),
  );
/** Versions of WordPress with numbers that PHP can compare. */
export const phpVersions = wordpressOf(small);

const npm = concat(
  fc.tuple(plain, plain, plain).map((numbers) => numbers.join('.')),
  maybe(
    concat(
      fc.constant('-'),
      joined(fc.constantFrom('0', '2', '11', 'alpha', 'Beta', 'beta', 'x-1', '1a'), 3),
    ),
  ),
  maybe(fc.constantFrom('+build.1', '+2')),
);

const spelled = (...names: string[]) =>
  concat(
    fc.constantFrom('', '.', '-', '_'),
    fc.constantFrom(...names),
    fc.constantFrom('', '.'),
    maybe(small.filter((digits) => digits.length < 9)),
  );
const pypi = concat(
  fc.constantFrom('', '', 'v', '0!', '1!'),
  joined(small, 4),
  maybe(spelled('a', 'b', 'c', 'rc', 'alpha', 'beta', 'pre', 'preview', 'RC')),
  maybe(fc.oneof(spelled('post', 'rev', 'r'), concat(fc.constant('-'), small))),
  maybe(spelled('dev', 'DEV')),
  maybe(concat(fc.constant('+'), joined(fc.constantFrom('0', '5', '10', 'abc', 'ABC', '1a', 'deb12u1'), 3))),
);

const debianText = fc
  .array(fc.constantFrom('0', '1', '9', '10', 'a', 'Z', '~', '~~', '+', '.', 'deb', 'ubuntu'), {
    maxLength: 6,
  })
  .map((all) => all.join(''));
const debian = concat(
  maybe(fc.constantFrom('0:', '1:', '01:', '2147483647:')),
  number,
  debianText,
  maybe(concat(fc.constant('-'), number, debianText)),
  maybe(concat(fc.constant('-'), number, debianText)),
);

/** Valid versions of an ecosystem in all spellings, similar enough to be equal sometimes. */
export const VERSIONS = {
  'wordpress-plugin': wordpressOf(number),
  npm,
  pypi,
  'debian:12': debian,
} satisfies Partial<Record<Ecosystem, fc.Arbitrary<string>>>;

/** Pairs of versions: any two, one in two spellings, one and its neighbor. */
export const pairsOf = (version: fc.Arbitrary<string>): fc.Arbitrary<readonly [string, string]> =>
  fc.oneof(
    fc.tuple(version, version),
    version.map((text) => [text, text.replace(/[0-9]+/, '0$&')] as const),
    version.map((text) => [text, text.replace(/[0-9](?=[^0-9]*$)/, '7')] as const),
  );
