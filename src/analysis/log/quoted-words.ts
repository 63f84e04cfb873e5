/**
 * Words that a line only quotes, such as a search or a page title. A quoted title ends with the quote, an unquoted one at the
 * next field.
 */
const LABELLED =
  /\b(?:search(?:ed|es|ing)?(?: (?:for|term|query|phrase))?|title|titled|subject|topic|headline|article|page|post|thread|question|ticket|issue|heading|tests?(?: case)?|betreff|titel|suche(?: nach)?)(?: (?:was |has been )?(?:published|updated|added|saved|passed|failed))?["']?(?: ?[:=] ?| )(?:["“„«]([^"”»\n]{1,300})["”»]|'([^'\n]{1,300})')/gi;
/** A search field, and a test result. */
const FIELD_OR_RESULT =
  /"(?:q|search|term|title|subject|headline)": ?"[^"\n]{1,300}"|\b(?:not )?ok \d{1,5} - [^\n]{1,300}/gi;
const UNQUOTED = /\b(?:title|subject|search term|headline|betreff|titel)[:=] ?(?!["“'])([^\n|;,]{1,200})/gi;

/** Removes quoted searches and titles from a line. */
export const withoutQuotedWords = (line: string): string =>
  line.replace(LABELLED, ' ').replace(UNQUOTED, ' ').replace(FIELD_OR_RESULT, ' ');
