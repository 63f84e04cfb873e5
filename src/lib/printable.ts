/** Characters that move a terminal's cursor, run its commands, end a line or change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

const codeUnit = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text as one line that is safe on a terminal. Unsafe characters are escaped as in JSON, such as `\n` or `\u001b`. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? codeUnit(character) : escaped;
  });

/** Like {@link printable}, for texts of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/**
 * Serializes a value as JSON that is safe on a terminal and parses to the same value. Plain JSON does not escape the C1 controls,
 * which some terminals execute.
 *
 * @param indent spaces per level; 0 = a single line
 */
export const printableJson = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replace(UNPRINTABLE, (character) =>
    character === '\n' ? character : codeUnit(character),
  );
