/** A colour, its weak tone and the text on it, in one theme; `#rrggbb`. */
interface Tones {
  readonly accent: string;
  readonly weak: string;
  readonly on: string;
}

/** A colour that is readable in both themes. */
export interface Accent {
  readonly light: Tones;
  readonly dark: Tones;
}

type Rgb = readonly [red: number, green: number, blue: number];

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;
/** WCAG 2.2, level AA, for text. */
const CONTRAST_MIN = 4.5;
const STEPS = 100;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** Surfaces of the themes, as in style/tokens.css. */
const SURFACES = { light: [WHITE, [246, 247, 249]], dark: [[20, 25, 32]] } as const satisfies Record<
  string,
  readonly [Rgb, ...Rgb[]]
>;
const DARK_TEXT: Rgb = [13, 16, 21];
/** The share of the color in its weak tone. */
const WEAK = { light: 0.1, dark: 0.16 };

const rgbOf = (hex: string): Rgb | undefined => {
  const [, ...parts] = HEX.exec(hex) ?? [];
  const [red, green, blue] = parts.map((part) => Number.parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
};
const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const mixed = (one: Rgb, share: number, other: Rgb): Rgb =>
  one.map((part, at) => Math.round(part * share + (other[at] ?? 0) * (1 - share))) as unknown as Rgb;

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrastOf = (one: Rgb, other: Rgb): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/**
 * The contrast of two colours by WCAG, from 1 to 21.
 *
 * @returns NaN for an invalid `#rrggbb`
 */
export function contrast(one: string, other: string): number {
  const [first, second] = [rgbOf(one), rgbOf(other)];
  return first && second ? contrastOf(first, second) : Number.NaN;
}

const weakOf = (rgb: Rgb, theme: keyof typeof SURFACES): Rgb => mixed(rgb, WEAK[theme], SURFACES[theme][0]);

/** Whether a colour is readable as text in a theme, also on its own weak tone. */
const isReadable = (rgb: Rgb, theme: keyof typeof SURFACES): boolean =>
  [...SURFACES[theme], weakOf(rgb, theme)].every((below) => contrastOf(rgb, below) >= CONTRAST_MIN);

/** The nearest readable colour on the way to another. */
function nearest(rgb: Rgb, theme: keyof typeof SURFACES, towards: Rgb): Rgb {
  for (let step = STEPS; step > 0; step--) {
    const tried = mixed(rgb, step / STEPS, towards);
    if (isReadable(tried, theme)) return tried;
  }
  return towards;
}

/**
 * The tones of a colour in both themes.
 *
 * @param color `#rrggbb`
 * @returns the nearest readable color if this one is unreadable; undefined for an invalid one
 */
export function accentOf(color: string): Accent | { readonly nearest: string } | undefined {
  const rgb = rgbOf(color);
  if (rgb === undefined) return undefined;
  const light = nearest(rgb, 'light', BLACK);
  if (hexOf(light) !== hexOf(rgb)) return { nearest: hexOf(light) };
  const dark = nearest(rgb, 'dark', WHITE);
  return {
    light: { accent: hexOf(light), weak: hexOf(weakOf(light, 'light')), on: hexOf(WHITE) },
    dark: { accent: hexOf(dark), weak: hexOf(weakOf(dark, 'dark')), on: hexOf(DARK_TEXT) },
  };
}

const TOKENS = { accent: 'accent', weak: 'accent-weak', on: 'on-accent' } as const;

/** The tones as tokens of the pages' style. */
export function accentStyle({ light, dark }: Accent): string {
  const tokens = (Object.keys(TOKENS) as (keyof typeof TOKENS)[]).map(
    (tone) => `--${TOKENS[tone]}:light-dark(${light[tone]},${dark[tone]})`,
  );
  return `:root{${tokens.join(';')}}\n`;
}
