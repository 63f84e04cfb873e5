/**
 * Whether all databases can store a text unchanged. PostgreSQL refuses NUL, Deno's SQLite truncates texts there, and lone
 * surrogates cannot be encoded in UTF-8.
 */
export const isWholeText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
