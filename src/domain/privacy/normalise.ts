const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Mn}\p{Me}]|(?![\t\n\r])\p{Cc}/gu;
const PRINTABLE_ASCII = /^[ -~]*$/;
const DASH = /[\p{Pd}\u2212]/gu;
/** A digit of a script that NFKC does not fold. */
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
const ANY_DIGIT = /^\p{Nd}$/u;
/** Signs that browsers and people take for a dot, slash, backslash or colon (UTS 39, confusables; UTS 46, 2.3). */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  (
    [
      ['.', '·‧∙⋅。'],
      ['/', '⁄∕⧸'],
      ['\\', '∖⧵'],
      [':', '꞉∶ː'],
    ] as const
  ).flatMap(([sign, others]) => [...others].map((other) => [other, sign] as const)),
);
const LOOK_ALIKE = new RegExp(`[${[...LOOK_ALIKES.keys()].join('')}]`, 'g');

/**
 * Text for the rules: compatibility forms folded (Unicode NFKC and further: accents are removed too), invisible characters and
 * controls removed, every dash a hyphen, the digits of all scripts and the look-alikes of dots and slashes in ASCII. The rules
 * are about ASCII, so they lose nothing.
 *
 * Marks go before the folding as well: ordering a long run of them is not linear in every engine.
 */
export const plainText = (text: string): string =>
  PRINTABLE_ASCII.test(text)
    ? text
    : text
        .replace(INVISIBLE, '')
        .normalize('NFKD')
        .replace(INVISIBLE, '')
        .replace(DASH, '-')
        .replace(OTHER_DIGIT, asciiDigit)
        .replace(LOOK_ALIKE, (sign) => LOOK_ALIKES.get(sign) ?? sign);

/** Unicode has the digits of a script in one run from 0 to 9 (Unicode 16, 4.6). */
function asciiDigit(digit: string): string {
  const known = ASCII_DIGITS.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && ANY_DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
  ASCII_DIGITS.set(digit, String(value));
  return String(value);
}

/** As they are met: bounded by the few hundred digits that Unicode has. */
const ASCII_DIGITS = new Map<string, string>();

/**
 * The text without obfuscation of addresses, or undefined when it has none: `ann[at]example[dot]com`, `10[.]0[.]0[.]1`, `ann at
 * example dot com`.
 */
export function withoutDefanging(text: string): string | undefined {
  const plain = text.replace(BRACKETED, (_, sign: string) => SPOKEN_SIGNS[sign.toLowerCase()] ?? sign);
  const spoken = SPOKEN_DOT.test(plain)
    ? plain.replace(SPOKEN, (_, sign: string) => SPOKEN_SIGNS[sign.toLowerCase()] ?? sign)
    : plain;
  return spoken === text ? undefined : spoken;
}

const BRACKETED = / ?[[({<] ?([.:@]|dot|at) ?[\])}>] ?/gi;
const SPOKEN_DOT = / dot /i;
const SPOKEN = / (dot|at) /gi;
const SPOKEN_SIGNS: Readonly<Record<string, string>> = { dot: '.', at: '@' };

/** The text with its percent escapes decoded once, or undefined when it has none. Never throws. */
export function percentDecoded(text: string): string | undefined {
  const bytes: number[] = [];
  let decoded = '';
  let copied = 0;
  let at = text.indexOf('%');
  while (at >= 0) {
    let end = at;
    bytes.length = 0;
    while (text.charCodeAt(end) === 0x25) {
      const high = hexDigit(text.charCodeAt(end + 1));
      const low = hexDigit(text.charCodeAt(end + 2));
      if (high < 0 || low < 0) break;
      bytes.push(high * 16 + low);
      end += 3;
    }
    if (end === at) {
      at = text.indexOf('%', at + 1);
      continue;
    }
    decoded += text.slice(copied, at) + utf8.decode(Uint8Array.from(bytes));
    copied = end;
    at = text.indexOf('%', end);
  }
  return copied === 0 ? undefined : decoded + text.slice(copied);
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
