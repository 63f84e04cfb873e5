/** What moves a terminal's cursor, runs its commands, ends a line or turns the order of a text round. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

const codeUnit = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text as one line that is safe on a terminal: what is not stands as its escape in JSON, such as `\n` or `\u001b`. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? codeUnit(character) : escaped;
  });

/** The same of a text of several lines, which stay. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/**
 * A value as JSON that is safe on a terminal and read back as exactly that value. JSON by itself lets the C1 controls stand, which
 * some terminals take for commands.
 *
 * @param indent how many blanks a level has; 0 = all in one line
 */
export const printableJson = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replace(UNPRINTABLE, (character) =>
    character === '\n' ? character : codeUnit(character),
  );
