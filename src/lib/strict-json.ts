const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reads JSON that every reader understands alike (RFC 7493, I-JSON): no name twice in an object, no half of a character. Readers
 * differ in which of two values with one name they take, so that what one has checked could be another than the next one uses.
 *
 * @param depthMax how many objects and arrays may lie in each other; deeper text is refused before it is parsed
 * @returns undefined for what is no such text
 */
export function parseStrictJson(text: string, depthMax: number): unknown {
  return isStrict(text, depthMax) ? parsed(text) : undefined;
}

/** Says nothing about the rest of the syntax, which the parser checks. */
function isStrict(text: string, depthMax: number): boolean {
  /** The names so far of each object that is open; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      if (open.length === depthMax) return false;
      open.push(character === '{' ? new Set() : undefined);
    } else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      const string = parsed(text.slice(at, end));
      if (typeof string !== 'string' || !string.isWellFormed()) return false;
      at = end - 1;
      const names = open.at(-1);
      if (names === undefined || !isName(text, end)) continue;
      if (names.has(string)) return false;
      names.add(string);
    }
  }
  return true;
}

/** Where a string that begins at a place is over: behind its last quote, or at the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Whether a string that ends at a place is the name of what follows. */
function isName(text: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(text[at] ?? '.')) at += 1;
  return text[at] === ':';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
