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

interface Bundle {
  /** The tokens without the texts that hold modules. */
  readonly tokens: readonly JsToken[];
  /** The modules as one script. */
  readonly modules: string;
}

/**
 * Takes the modules of a bundle for development out of the texts: they are scripts, to be read as such. So is the last one when the
 * file is cut off inside of it.
 */
export function splitBundle(tokens: readonly JsToken[]): Bundle {
  const isEvaluated = ({ kind }: JsToken, at: number) => kind === 'string' && tokens[at - 2]?.text === 'eval';
  if (!tokens.some(isEvaluated)) return { tokens, modules: '' };
  const isBundle = tokens.some(({ kind, text }) => kind === 'name' && text === LOADER);
  const isModule = (token: JsToken, at: number): boolean =>
    isEvaluated(token, at) &&
    (NAMED.test(token.text.slice(-ENDING_CHARS)) ||
      (isBundle && token.cut === true) ||
      isWrapped(tokens, at - 2));
  const modules = new Set(tokens.filter(isModule));
  if (modules.size === 0) return { tokens, modules: '' };
  return {
    tokens: tokens.filter((token) => !modules.has(token)),
    modules: [...modules].map(({ text }) => text).join('\n'),
  };
}
