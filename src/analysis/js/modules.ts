import type { JsToken } from './lexer.ts';

/** Appended to modules by webpack's `eval` source maps. */
const NAMED = /\/\/# sourceURL=webpack/;
/** Characters searched at the end of a module; loader names and options may precede the path. */
const ENDING_CHARS = 2_000;
/** webpack's function for imports between modules. */
const LOADER = '__webpack_require__';

/** Whether a call is the first statement in a module wrapper of a bundler. */
const isWrapped = (tokens: readonly JsToken[], at: number): boolean => {
  const given = tokens
    .slice(Math.max(0, at - 8), at)
    .map(({ text }) => text)
    .join(' ');
  return /\( (?:module|__unused_webpack_module) , (?:__webpack_)?exports(?: , \w{1,40})? \) \{$/.test(given);
};

/** Indices of `eval`, as a name or in a text. */
function evalsIn(tokens: readonly JsToken[]): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < tokens.length; at++) if (tokens[at]?.text === 'eval') places.push(at);
  return places;
}

interface Bundle {
  /** Tokens without the texts that contain modules. */
  readonly tokens: readonly JsToken[];
  /** The modules as one script. */
  readonly modules: string;
  /** Indices of `eval` among the tokens. */
  readonly evals: readonly number[];
}

/**
 * Extracts the modules of a development bundle, which are strings passed to `eval`, to analyse them as scripts. The last one
 * counts even if the file is truncated within it.
 */
export function splitBundle(tokens: readonly JsToken[]): Bundle {
  const evals = evalsIn(tokens);
  const evaluated = evals.map((at) => at + 2).filter((at) => tokens[at]?.kind === 'string');
  if (evaluated.length === 0) return { tokens, modules: '', evals };
  const isBundle = tokens.some(({ kind, text }) => kind === 'name' && text === LOADER);
  const isModule = (at: number): boolean => {
    const { text, cut } = tokens[at] as JsToken;
    return NAMED.test(text.slice(-ENDING_CHARS)) || (isBundle && cut === true) || isWrapped(tokens, at - 2);
  };
  const modules = new Set(evaluated.filter(isModule).map((at) => tokens[at] as JsToken));
  if (modules.size === 0) return { tokens, modules: '', evals };
  const others = tokens.filter((token) => !modules.has(token));
  const sources = [...modules].map(({ text }) => text);
  return { tokens: others, modules: sources.join('\n'), evals: evalsIn(others) };
}
