const utf8 = new TextEncoder();

/** Bodies that are slow for a careless scanner: each of about the given size in JSON. */
export const ADVERSARIAL: readonly (readonly [string, (size: number) => unknown])[] = [
  ...(
    [
      ['letters', 'a'],
      ['hexadecimal', '0f'],
      ['digits with signs', '1 '],
      ['digits in groups', '1234-5678 90.'],
      ['dotted numbers', '1.'],
      ['colons', 'a:'],
      ['double colons', '::1'],
      ['at signs', 'a@'],
      ['hyphens', '-'],
      ['hexadecimal pairs', '0a-'],
      ['slashes', '/ '],
      ['backslashes', 'a\\'],
      ['schemes', 'a://'],
      ['percent escapes', '%41'],
      ['broken percent escapes', '%4'],
      ['JOSE beginnings', 'eyJ'],
      ['token beginnings', 'sk-ant-'],
      ['short token beginnings', 'AC0'],
      ['almost tokens', `ghp_${'a'.repeat(29)}-`],
      ['IBAN beginnings', 'DE00 '],
      ['names of secrets', 'password '],
      ['PEM beginnings', '-----BEGIN '],
      ['UUID beginnings', '00000000-0000-'],
      ['base64 of text', 'YWFh'],
      ['base64 runs', 'YWFhYWFh '],
      ['combining marks', 'e\u0301\u0323'],
      ['one base with many marks', '\u0301\u0323'],
      ['ligatures that unfold', '\ufdfa'],
      ['zero-width', 'a\u200b'],
      ['capitals and small letters', 'aB'],
      ['file endings', '.s'],
      ['bracketed signs', '[.'],
      ['spoken signs', ' dot at'],
      ['digits of another script', '\u0663'],
      ['look-alikes of signs', '\u2215'],
      ['hyphenated numbers', '1-2_'],
      ['numbers in parentheses', '(1)'],
      ['pairs with underscores', '0a_'],
      ['base64 in pieces', 'YWFhYWFh-'],
      ['home directories', '~a'],
      ['names of short secrets', 'pass'],
      ['spaces around at signs', 'a @ a.1'],
    ] as const
  ).map(
    ([name, unit]) =>
      [name, (size: number) => ({ band: unit.repeat(Math.floor(size / utf8.encode(unit).length)) })] as const,
  ),
  ['many short texts', (size) => ({ list: Array.from({ length: size / 12 }, (_, i) => `level_${i % 97}`) })],
  ['many keys', (size) => Object.fromEntries(Array.from({ length: size / 14 }, (_, i) => [`a${i}Count`, i]))],
  [
    'many keys without humps',
    (size) =>
      Object.fromEntries(Array.from({ length: size / 100 }, (_, i) => [`${'total'.repeat(18)}x${i}`, 1])),
  ],
  ['deep lists', (size) => Array.from({ length: size / 66 }, () => nested(31))],
];

const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)]);
