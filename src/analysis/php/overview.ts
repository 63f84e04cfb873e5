import { RUNS_COMMAND } from './functions.ts';
import { isDocumentation } from './ordinary.ts';
import { unreadableAt } from './readability.ts';
import type { PhpSurface, PhpToken } from './token.ts';

/** What several judgements of a file need, from one pass over its tokens. */
export interface Overview {
  readonly texts: readonly PhpToken[];
  /** Where they stand among the tokens. */
  readonly textsAt: readonly number[];
  /** Names of variables. */
  readonly variables: ReadonlySet<string>;
  /** How often a function is written down. */
  readonly functions: number;
  /** Comments that document something. */
  readonly documented: number;
  /** Numeric escapes in texts. */
  readonly escapes: number;
  /** Whether it is a unit test: those hold samples of what must be refused. */
  readonly isSample: boolean;
  /** Whether it reads the arguments of a command line. */
  readonly takesArguments: boolean;
  /** Whether it names the function that logs users in. */
  readonly logsIn: boolean;
  /** Different functions that run commands, named in texts. */
  readonly commands: number;
  /** Where a long unreadable text is, if there is one or most of the file is unreadable. */
  readonly unreadable: number | undefined;
}

const ASSERTIONS_MIN = 3;
/** The function of WordPress that logs users in. */
export const LOGS_IN = 'wp_set_auth_cookie';

/** Looks over a file, or a part of one. */
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
        // It calls methods or functions of its own that assert something.
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
