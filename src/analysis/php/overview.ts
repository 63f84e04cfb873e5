import { RUNS_COMMAND } from './functions.ts';
import { isDocumentation } from './ordinary.ts';
import { unreadableAt } from './readability.ts';
import type { PhpSurface, PhpToken } from './token.ts';

/** Properties of a file that several judges need, from one pass over its tokens. */
export interface Overview {
  readonly texts: readonly PhpToken[];
  /** Token indices of the texts. */
  readonly textsAt: readonly number[];
  /** Names of variables. */
  readonly variables: ReadonlySet<string>;
  /** Number of function definitions. */
  readonly functions: number;
  /** Number of documentation comments. */
  readonly documented: number;
  /** Number of numeric escapes in texts. */
  readonly escapes: number;
  /** Whether it is a unit test, which contains malicious samples. */
  readonly isSample: boolean;
  /** Whether it reads the arguments of a command line. */
  readonly takesArguments: boolean;
  /** Whether it names the function that logs users in. */
  readonly logsIn: boolean;
  /** Number of distinct command functions named in texts. */
  readonly commands: number;
  /** Offset of a long unreadable text, or the whole file if most of it is unreadable. */
  readonly unreadable: number | undefined;
}

const ASSERTIONS_MIN = 3;
/** The function of WordPress that logs users in. */
export const LOGS_IN = 'wp_set_auth_cookie';

export function overviewOf({ tokens, comments }: PhpSurface, source: string): Overview {
  const texts: PhpToken[] = [];
  const textsAt: number[] = [];
  const variables = new Set<string>();
  const commands = new Set<string>();
  let functions = 0;
  let escapes = 0;
  let takesArguments = false;
  let logsIn = false;
  let assertions = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as PhpToken;
    const { kind, text } = token;
    switch (kind) {
      case 'name':
        if (text === 'function') functions++;
        else if (text === LOGS_IN) logsIn = true;
        // Calls of own methods or functions with "assert" in the name.
        else if (text.length > 6 && text.includes('assert') && tokens[index + 1]?.text === '(') assertions++;
        break;
      case 'variable':
        variables.add(text);
        break;
      case 'string':
      case 'template':
      case 'command':
      case 'html':
        texts.push(token);
        textsAt.push(index);
        escapes += token.escapes ?? 0;
        if (kind !== 'string') break;
        if (text === 'argv') takesArguments = true;
        if (RUNS_COMMAND.has(text)) commands.add(text);
    }
  }
  return {
    texts,
    textsAt,
    logsIn,
    variables,
    functions,
    documented: comments.filter(isDocumentation).length,
    escapes,
    isSample: assertions >= ASSERTIONS_MIN,
    takesArguments: takesArguments || variables.has('argv'),
    commands: commands.size,
    unreadable: unreadableAt(texts, source.length),
  };
}
