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
  return problemIn(text, depthMax) === undefined ? parsed(text) : undefined;
}

/** The path of the first repeated name in a JSON text, such as `/items/pro`. */
export function repeatedName(text: string): string | undefined {
  const problem = problemIn(text, Number.POSITIVE_INFINITY);
  return problem?.isRepeated ? problem.place : undefined;
}

interface Problem {
  /** Its path, such as `/items/pro`. */
  readonly place: string;
  readonly isRepeated: boolean;
}

/** The first name of a text that is there twice, or what else not every reader understands. Says nothing about the rest of the syntax. */
function problemIn(text: string, depthMax: number): Problem | undefined {
  /** Each object or array that is open: its names so far, none for an array, and the last of them. */
  const open: { readonly names: Set<string> | undefined; last: string }[] = [];
  const problem = (isRepeated: boolean): Problem => ({
    place: open.map(({ last }) => `/${last}`).join(''),
    isRepeated,
  });
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      if (open.length === depthMax) return problem(false);
      open.push({ names: character === '{' ? new Set() : undefined, last: '' });
    } else if (character === '}' || character === ']') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      const string = parsed(text.slice(at, end));
      if (typeof string !== 'string' || !string.isWellFormed()) return problem(false);
      at = end - 1;
      const holder = open.at(-1);
      if (holder?.names === undefined || !isName(text, end)) continue;
      holder.last = string;
      if (holder.names.has(string)) return problem(true);
      holder.names.add(string);
    }
  }
  return undefined;
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
