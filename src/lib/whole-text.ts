/**
 * Whether every database can store a text unchanged. PostgreSQL refuses NUL, and Deno's SQLite ends a text there;
 * half of a surrogate pair has no bytes in UTF-8.
 */
export const isWholeText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
