import fc from 'fast-check';
import { base64 } from './forbidden.ts';

export type Disguise = (text: string) => fc.Arbitrary<string>;

const ZERO_WIDTH = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u034f',
  '\u180e',
  '\u{e0061}',
];

/** Each character independently: changed or unchanged, at random. */
const perCharacter =
  (change: (character: string) => string): Disguise =>
  (text) => {
    const characters = [...text];
    return fc
      .array(fc.boolean(), { minLength: characters.length, maxLength: characters.length })
      .map((chosen) => characters.map((one, index) => (chosen[index] ? change(one) : one)).join(''));
  };

export const randomCase: Disguise = (text) => perCharacter((one) => one.toUpperCase())(text.toLowerCase());

export const zeroWidth: Disguise = (text) =>
  fc.constantFrom(...ZERO_WIDTH).chain((mark) => perCharacter((one) => `${one}${mark}`)(text));

export const fullWidth: Disguise = perCharacter((one) =>
  one > ' ' && one <= '~' ? String.fromCharCode(one.charCodeAt(0) + 0xfee0) : one,
);

const utf8 = new TextEncoder();

export const percentEncoded: Disguise = perCharacter((one) =>
  [...utf8.encode(one)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
);

export const base64Encoded: Disguise = (text) => {
  const padded = base64(utf8.encode(text));
  return fc.constantFrom(
    padded,
    padded.replaceAll('=', ''),
    padded.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  );
};

export const plain: Disguise = fc.constant;

/** Disguises that preserve the meaning of any text. */
export const DISGUISES: readonly Disguise[] = [plain, zeroWidth, fullWidth, percentEncoded, base64Encoded];
