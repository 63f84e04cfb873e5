import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { TOKEN_FORMATS } from '../../../src/domain/privacy/provider-tokens.ts';

/** A forbidden content of bodies, and its possible disguises. */
export interface Forbidden {
  readonly rule: string;
  readonly text: fc.Arbitrary<string>;
  /** Whether it means the same in other case. */
  readonly anyCase: boolean;
}

const digits = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

const byte = fc.integer({ min: 0, max: 255 });
const hexPair = byte.map((value) => value.toString(16).padStart(2, '0'));

/** Bytes as uniform as a real secret's: fast-check prefers zeros. */
const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.integer().map((seed) => createHash('shake256', { outputLength: length }).update(String(seed)).digest());
const word = fc.stringMatching(/^[a-z]{3,8}$/);
const quad = fc.tuple(byte, byte, byte, byte);

export const base64 = (data: Uint8Array): string => btoa(String.fromCharCode(...data));
const base64Url = (data: Uint8Array): string =>
  base64(data).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The digit that makes a number pass Luhn's check: the textbook sum, independent of the code under test. */
export function luhnDigit(payload: string): string {
  let sum = 0;
  for (const [index, digit] of [...payload].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return String((10 - (sum % 10)) % 10);
}

const card = fc
  .oneof(
    digits(14).map((rest) => `4${rest}`),
    digits(13).map((rest) => `55${rest}`),
    digits(12).map((rest) => `37${rest}`),
    digits(11).map((rest) => `6011${rest}`),
  )
  .map((payload) => payload + luhnDigit(payload));

const inGroups = (text: string, separator: string): string => (text.match(/.{1,4}/g) ?? []).join(separator);

function germanIban(account: string): string {
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

const ipv6 = fc.oneof(
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.map((group) => group.toString(16)).join(':')),
  fc.tuple(hexPair, hexPair, hexPair).map(([a, b, c]) => `fe80::${a}${b}:${c}`),
  fc.tuple(hexPair, hexPair).map(([a, b]) => `2001:db8:${a}${b}::1`),
);

const mac = fc
  .array(hexPair, { minLength: 6, maxLength: 6 })
  .chain((pairs) => fc.constantFrom(':', '-').map((separator) => pairs.join(separator)));

const phone = fc.oneof(
  digits(9).map((rest) => `+491${rest}`),
  digits(8).map((rest) => `+44 20 ${rest.slice(0, 4)} ${rest.slice(4)}`),
  digits(7).map((rest) => `(415) 5${rest.slice(0, 2)}-${rest.slice(3)}`),
  digits(8).map((rest) => `00331${rest}`),
  digits(7).map((rest) => `0171 ${rest}`),
  digits(4).map((rest) => `212-555-${rest}`),
);

const path = fc.oneof(
  fc.tuple(word, word).map(([a, b]) => `/home/${a}/${b}`),
  word.map((name) => `C:\\Users\\${name}`),
  fc.tuple(word, word).map(([a, b]) => `\\\\${a}\\${b}`),
  word.map((name) => `~/.${name}`),
  word.map((name) => `../../${name}`),
  word.map((name) => `file:///${name}`),
);

const structural: readonly Forbidden[] = [
  {
    rule: 'value.email',
    anyCase: true,
    text: fc.tuple(word, word).map(([a, b]) => `${a}.${b}@${b}.example`),
  },
  {
    rule: 'value.ipv4',
    anyCase: true,
    text: fc.oneof(
      quad.map((parts) => parts.join('.')),
      quad.map((parts) => parts.map((part) => `0x${part.toString(16)}`).join('.')),
      quad.map((parts) => parts.map((part) => `0${part.toString(8)}`).join('.')),
      quad.map((parts) => `::ffff:${parts.join('.')}`),
    ),
  },
  { rule: 'value.ipv6', anyCase: true, text: ipv6 },
  { rule: 'value.mac', anyCase: true, text: mac },
  { rule: 'value.phone', anyCase: true, text: phone },
  {
    rule: 'value.card',
    anyCase: true,
    text: card.chain((number) =>
      fc.constantFrom('', ' ', '-').map((separator) => inGroups(number, separator)),
    ),
  },
  {
    rule: 'value.ssn',
    anyCase: true,
    text: fc
      .tuple(
        fc.integer({ min: 100, max: 665 }),
        fc.integer({ min: 10, max: 99 }),
        fc.integer({ min: 1000, max: 9999 }),
      )
      .chain((groups) => fc.constantFrom('-', ' ', '_').map((separator) => groups.join(separator))),
  },
  {
    rule: 'value.iban',
    anyCase: true,
    text: fc
      .tuple(digits(18), fc.constantFrom('', ' '))
      .map(([account, separator]) => inGroups(germanIban(account), separator)),
  },
  {
    rule: 'value.jwt',
    anyCase: false,
    text: fc.tuple(word, bytes(32)).map(([subject, signature]) => {
      const part = (value: object): string => base64Url(new TextEncoder().encode(JSON.stringify(value)));
      return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: subject })}.${base64Url(signature)}`;
    }),
  },
  {
    rule: 'value.pem',
    anyCase: true,
    text: fc
      .tuple(fc.constantFrom('RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'CERTIFICATE'), bytes(48))
      .map(([label, data]) => `-----BEGIN ${label}-----\n${base64(data)}\n-----END ${label}-----`),
  },
  {
    rule: 'value.ssh-key',
    anyCase: false,
    text: bytes(32).map((data) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(data)}`),
  },
  {
    rule: 'value.connection-string',
    anyCase: true,
    text: fc
      .tuple(fc.constantFrom('postgres', 'mongodb+srv', 'redis', 'amqp', 'mysql'), word, word)
      .map(([scheme, user, host]) => `${scheme}://${user}:pw@${host}.example/app`),
  },
  {
    rule: 'value.url-login',
    anyCase: true,
    text: fc.tuple(word, word).map(([user, host]) => `https://${user}:pw@${host}.example`),
  },
  {
    rule: 'value.named-secret',
    anyCase: true,
    text: fc
      .tuple(fc.constantFrom('password=', 'AccountKey=', 'api_key: ', 'Authorization: Bearer '), word)
      .map(([name, value]) => `${name}${value}12345`),
  },
  { rule: 'value.path', anyCase: true, text: path },
  {
    rule: 'value.random',
    anyCase: false,
    text: fc.oneof(
      bytes(48).map(base64Url),
      bytes(48).map(base64),
      bytes(20).map((data) => data.toHex()),
      bytes(32).map((data) => data.toHex()),
    ),
  },
  { rule: 'value.uuid', anyCase: true, text: fc.uuid() },
  { rule: 'value.long-number', anyCase: true, text: digits(24).map((rest) => `9${rest}`) },
];

const lastPart = '0123456789abcdef';
const shapes: readonly (readonly [string, string])[] = [
  ['telegram', `123456789:AAE${lastPart.repeat(2)}`],
  ['discord', `M${'TIz'.repeat(8)}.GaBcDe.${'aB3-_'.repeat(6)}`],
  ['mailchimp', `${lastPart.repeat(2)}-us12`],
  ['azure-ad', `aB38Q~${'aB3~.'.repeat(7)}`],
  ['terraform', `aB3aB3aB3aB3aB.atlasv1.${lastPart.repeat(4)}`],
  ['teams-webhook', 'https://acme.webhook.office.com/webhookb2/1234'],
  ['azure-sas', `https://acme.blob.example?sv=1&sig=${lastPart.repeat(2)}`],
];

/** Every rule for texts except restore's own, with texts that break it. */
export const FORBIDDEN_TEXTS: readonly Forbidden[] = [
  ...structural,
  ...TOKEN_FORMATS.map(({ id, prefixes, rest }) => ({
    rule: id,
    anyCase: false,
    text: fc
      .tuple(fc.constantFrom(...prefixes), fc.stringMatching(new RegExp(`^${rest.replace(/\(\?!.*$/, '')}$`)))
      .map(([prefix, token]) => prefix + token),
  })),
  ...shapes.map(([name, text]) => ({ rule: `value.token.${name}`, anyCase: false, text: fc.constant(text) })),
];
