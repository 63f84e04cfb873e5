/**
 * Whether a text can be kept as it is, whatever keeps it. NUL is none for PostgreSQL, and the end of a text for Deno's SQLite;
 * half of a surrogate pair has no bytes in UTF-8.
 */
export const isWholeText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
