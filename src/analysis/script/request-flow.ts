/** How a language takes a request, hands values on and does something with them. */
interface Grammar {
  readonly request: RegExp;
  /** A name and the value that it gets. */
  readonly assigned: RegExp;
  /** A function that is declared, and its parameters. */
  readonly declared: RegExp;
  /** Something that does harm, with what stands behind its opening parenthesis. */
  readonly sink: RegExp;
  /** Arguments that matter regardless of the request. */
  readonly telling?: RegExp;
}

/** A call may stand in another one. */
const CALL = /\b(\w{1,60})\s*\((?=([^;]{1,120}))/g;
const WORD = /\b[a-z_]\w{0,59}\b/gi;
const TEXT = /"[^"\n{]{0,200}"|'[^'\n{]{0,200}'/g;
/** A value may be handed on so often. */
const ROUNDS = 3;

/** Finds out whether something is done with what the request says: by itself, by a name that holds it, or as a parameter. */
export const doneWithRequest = (grammar: Grammar): { test(code: string): boolean } => ({
  test(code: string): boolean {
    const sinks = [...code.matchAll(grammar.sink)].map(([, rest, other]) => untilClosed(rest ?? other ?? ''));
    if (sinks.length === 0 || !grammar.request.test(code)) return false;
    const given = givenNames(code, grammar);
    return sinks.some((text) => grammar.telling?.test(text) || isGiven(text, given, grammar));
  },
});

/** What stands before the parenthesis that closes the one in front of a text. */
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

/** Names that hold what the request says, also as parameters of functions that are called with it. */
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
