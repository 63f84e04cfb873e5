// The types and limits of requests, separate from the engine, which the HTTP thread never loads.

export const INPUT_TYPES = ['code', 'request', 'log', 'url', 'text'] as const;
/** The kind of content, which selects the engine. */
export type InputType = (typeof INPUT_TYPES)[number];

/** Characters analysed at a time; longer contents are split into overlapping windows. */
export const WINDOW_CHARS = 64 * 1024;
export const isLong = (content: string): boolean => content.length > WINDOW_CHARS;

/** Maximum number of addresses in one content. */
export const ADDRESSES_MAX = 1_000;

/** The distinct addresses of a content, separated by white space. */
export const addressesIn = (content: string): string[] =>
  [...new Set(content.split(/\s+/))].filter((text) => text !== '');

/** Maximum number of reasons in a result. */
export const REASONS_MAX = 20;

export const ENGINE_NAMES = ['builtin', 'builtin+ai', 'builtin, ai failed'] as const;
/** The engines that produced a verdict. */
export type EngineName = (typeof ENGINE_NAMES)[number];
