import type { JsToken } from './lexer.ts';

/** What a bundler for development writes behind a module that stands as plain source in a text: where it comes from. */
const NAMED = /\/\/# sourceURL=webpack/;
/** Names of loaders, with their options, may stand before the path. */
const ENDING_CHARS = 2_000;
/** What modules of webpack load each other with. */
const LOADER = '__webpack_require__';

/** Whether a call is the first thing in a function that is given what a bundler gives to modules. */
const isWrapped = (tokens: readonly JsToken[], at: number): boolean => {
  const given = tokens
    .slice(Math.max(0, at - 8), at)
    .map(({ text }) => text)
    .join(' ');
  return /\( (?:module|__unused_webpack_module) , (?:__webpack_)?exports(?: , \w{1,40})? \) \{$/.test(given);
};

/** Where `eval` stands, by its name or in a text. */
function evalsIn(tokens: readonly JsToken[]): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < tokens.length; at++) if (tokens[at]?.text === 'eval') places.push(at);
  return places;
}

interface Bundle {
  /** The tokens without the texts that hold modules. */
  readonly tokens: readonly JsToken[];
  /** The modules as one script. */
  readonly modules: string;
  /** Where `eval` stands among the tokens. */
  readonly evals: readonly number[];
}

/**
 * Takes the modules of a bundle for development out of the texts: they are scripts, to be read as such. So is the last one when the
 * file is cut off inside of it.
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
