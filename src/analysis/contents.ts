// What can be asked and answered, apart from the engine: the HTTP thread never loads that.

export const INPUT_TYPES = ['code', 'request', 'log', 'url', 'text'] as const;
/** What a content is, and so how it is read. */
export type InputType = (typeof INPUT_TYPES)[number];

/** What is analysed at a time; a longer content is analysed in windows that overlap. */
export const WINDOW_CHARS = 64 * 1024;
export const isLong = (content: string): boolean => content.length > WINDOW_CHARS;

/** Addresses that are read of one content. */
export const ADDRESSES_MAX = 1_000;

/** The different addresses of a content, one in a line. */
export const addressesIn = (content: string): string[] =>
  [...new Set(content.split(/\s+/))].filter((text) => text !== '');

/** Reasons that an analysis gives. */
export const REASONS_MAX = 20;

export const ENGINE_NAMES = ['builtin', 'builtin+ai', 'builtin, ai failed'] as const;
/** Who judged. */
export type EngineName = (typeof ENGINE_NAMES)[number];
