import type { Accent } from './accent.ts';

/** A picture that was checked. */
export interface Logo {
  readonly type: 'image/svg+xml' | 'image/png';
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The operator's brand, for customers and visitors of their sites. */
export interface Brand {
  readonly name: string;
  /** Undefined = the picture of this program, if the name is its own. */
  readonly logo: Logo | undefined;
  /** Undefined = the colours of this program. */
  readonly accent: Accent | undefined;
  /** Where customers get help: `https:` or `mailto:`. */
  readonly support: string | undefined;
}

export const OWN_NAME = 'Redoubt';
/** Of an installation without settings of a brand. */
export const OWN_BRAND: Brand = { name: OWN_NAME, logo: undefined, accent: undefined, support: undefined };

const NAME_CHARACTERS_MAX = 40;
/** Characters that end a line or a tag, are invisible, or reverse the order of a text. */
const NOT_IN_NAMES = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800<>]/u;

/** Why a text cannot be the name of a brand, in words for the operator; undefined = it can. */
export function whyNameRefused(name: string): string | undefined {
  if (name.trim() !== name || name === '') return 'is empty, or starts or ends with a space';
  if ([...name].length > NAME_CHARACTERS_MAX) return `is longer than ${NAME_CHARACTERS_MAX} characters`;
  return NOT_IN_NAMES.test(name) ? 'contains markup, or invisible characters' : undefined;
}
