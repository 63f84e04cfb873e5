const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses JSON that all parsers read alike (RFC 7493, I-JSON): without repeated names and lone surrogates. Parsers differ in which
 * of two values with the same name they use, so a checked value could differ from the one used later.
 *
 * @param depthMax maximum nesting of objects and arrays; deeper text is refused before it is parsed
 * @returns undefined for any other text
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
  /** A path such as `/items/pro`. */
  readonly place: string;
  readonly isRepeated: boolean;
}

/** The first repeated name or other ambiguity in a text. Does not check the rest of the syntax. */
function problemIn(text: string, depthMax: number): Problem | undefined {
  /** The open objects and arrays: the names of an object (undefined for an array), and the last one. */
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

/** The end of a string that starts at a position: after its closing quote, or after the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Whether a string that ends at a position is a name. */
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
