const REQUEST = /\brequest\s*\.\s*get|\$\{param\b/;
const ASSIGNED = /\b(\w{1,60})\s*=(?!=)\s*([^;{}%]{1,400})/g;
/** A method that a page declares, with what it is given. */
const METHOD = /\b(\w{1,60})\s*\(([^()]{1,200})\)\s*(?:throws[\w\s.,]{1,120})?\{/g;
/** A call may stand in another one. */
const CALL = /\b(\w{1,60})\s*\((?=([^;]{1,120}))/g;
const WRITER =
  /new\s+(?:java\.io\.)?(?:FileOutputStream|FileWriter|RandomAccessFile|PrintWriter)\s*\((?=([^;]{1,300}))/g;
const WORD = /\b[a-z_]\w{0,59}\b/gi;
/** A page that is written, which the server runs when it is asked for. */
const PAGE = /["'][^"'\n]{0,100}\.(?:jspx?|jspf|war|class)["']/i;
/** A value may be handed on so often. */
const ROUNDS = 3;

/** Whether a page of Java writes a file that the request names, or a page whose body may be the request's. */
export const writesFileOfRequest = {
  test(code: string): boolean {
    const writers = [...code.matchAll(WRITER)].map(([, rest = '']) => untilClosed(rest));
    if (writers.length === 0 || !REQUEST.test(code)) return false;
    const given = givenNames(code);
    return writers.some((text) => PAGE.test(text) || isGiven(text, given));
  },
};

/** What stands before the parenthesis that closes the one in front of a text. */
function untilClosed(text: string): string {
  let open = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') open++;
    else if (text[at] === ')' && --open === 0) return text.slice(0, at);
  }
  return text;
}

const isGiven = (text: string, given: ReadonlySet<string>): boolean =>
  REQUEST.test(text) || (text.match(WORD) ?? []).some((word) => given.has(word));

/** Names that hold what the request says, also as parameters of methods that are called with it. */
function givenNames(code: string): ReadonlySet<string> {
  const given = new Set<string>();
  const parameters = new Map(
    [...code.matchAll(METHOD)].map(([, name = '', list = '']) => [
      name,
      list.split(',').map((each) => each.trim().split(/\s+/).at(-1) ?? ''),
    ]),
  );
  for (let round = 0; round < ROUNDS; round++) {
    const before = given.size;
    for (const [, name = '', value = ''] of code.matchAll(ASSIGNED))
      if (isGiven(value, given)) given.add(name);
    for (const [, name = '', values = ''] of code.matchAll(CALL))
      if (parameters.has(name) && isGiven(values, given))
        for (const parameter of parameters.get(name) ?? []) given.add(parameter);
    if (given.size === before) break;
  }
  return given;
}
