/** Line ends, control characters, direction overrides and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}\ufeff]+/gu;

/** A text as one line of at most so many characters: each run of control characters is a space, and what is cut ends with `…`. */
export function oneLine(text: string, charactersMax: number): string {
  // Cut first: a name can have a megabyte.
  const line = text
    .slice(0, 2 * charactersMax + 2)
    .replace(UNSAFE, ' ')
    .trim();
  const characters = [...line];
  const isCut = characters.length > charactersMax || text.length > 2 * charactersMax + 2;
  return isCut ? `${characters.slice(0, charactersMax - 1).join('')}…` : line;
}
