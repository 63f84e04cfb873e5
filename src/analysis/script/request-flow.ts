/** How a language reads a request, assigns values and uses them. */
interface Grammar {
  readonly request: RegExp;
  /** An assignment. */
  readonly assigned: RegExp;
  /** A function declaration with its parameters. */
  readonly declared: RegExp;
  /** A dangerous call, with the text after its opening parenthesis. */
  readonly sink: RegExp;
  /** Arguments that are dangerous regardless of the request. */
  readonly telling?: RegExp;
}

/** Calls may be nested. */
const CALL = /\b(\w{1,60})\s*\((?=([^;]{1,120}))/g;
const WORD = /\b[a-z_]\w{0,59}\b/gi;
const TEXT = /"[^"\n{]{0,200}"|'[^'\n{]{0,200}'/g;
/** Maximum number of assignments through which a value is followed. */
const ROUNDS = 3;

/** Tests whether request data reaches a dangerous call: directly, through a variable, or through a parameter. */
export const doneWithRequest = (grammar: Grammar): { test(code: string): boolean } => ({
  test(code: string): boolean {
    const sinks = [...code.matchAll(grammar.sink)].map(([, rest, other]) => untilClosed(rest ?? other ?? ''));
    if (sinks.length === 0 || !grammar.request.test(code)) return false;
    const given = givenNames(code, grammar);
    return sinks.some((text) => grammar.telling?.test(text) || isGiven(text, given, grammar));
  },
});

/** The text up to the parenthesis that closes the enclosing call. */
function untilClosed(text: string): string {
  let open = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') open++;
    else if (text[at] === ')' && --open === 0) return text.slice(0, at);
  }
  return text;
}

const isGiven = (text: string, given: ReadonlySet<string>, { request }: Grammar): boolean =>
  request.test(text) || (text.replace(TEXT, '').match(WORD) ?? []).some((word) => given.has(word));

/** Variables with request data, including parameters of called functions. */
function givenNames(code: string, grammar: Grammar): ReadonlySet<string> {
  const given = new Set<string>();
  const parameters = new Map(
    [...code.matchAll(grammar.declared)].map(([, name = '', list = '']) => [
      name,
      list.split(',').map((each) => lastWord(each.split(/[:=]/)[0] ?? '')),
    ]),
  );
  for (let round = 0; round < ROUNDS; round++) {
    const before = given.size;
    for (const [, name = '', value = ''] of code.matchAll(grammar.assigned))
      if (isGiven(value, given, grammar)) given.add(name);
    for (const [, name = '', values = ''] of code.matchAll(CALL))
      if (parameters.has(name) && isGiven(values, given, grammar))
        for (const parameter of parameters.get(name) ?? []) given.add(parameter);
    if (given.size === before) break;
  }
  return given;
}

const lastWord = (text: string): string => text.trim().split(/\s+/).at(-1) ?? '';
