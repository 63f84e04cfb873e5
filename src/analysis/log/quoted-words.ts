/**
 * Words that a line only quotes: a search, or the title of a page. A title in quotes ends with them,
 * one without at the next field.
 */
const TOLD =
  /\b(?:search(?:ed|es|ing)?(?: (?:for|term|query|phrase))?|title|titled|subject|topic|headline|article|page|post|thread|question|ticket|issue|heading|tests?(?: case)?|betreff|titel|suche(?: nach)?)(?: (?:was |has been )?(?:published|updated|added|saved|passed|failed))?["']?(?: ?[:=] ?| )(?:["“„«]([^"”»\n]{1,300})["”»]|'([^'\n]{1,300})')/gi;
/** A field of a search, and a result of a test. */
const FIELD_OR_RESULT =
  /"(?:q|search|term|title|subject|headline)": ?"[^"\n]{1,300}"|\b(?:not )?ok \d{1,5} - [^\n]{1,300}/gi;
const UNQUOTED = /\b(?:title|subject|search term|headline|betreff|titel)[:=] ?(?!["“'])([^\n|;,]{1,200})/gi;

/** A line without the searches and titles that it tells of. */
export const withoutQuotedWords = (line: string): string =>
  line.replace(TOLD, ' ').replace(UNQUOTED, ' ').replace(FIELD_OR_RESULT, ' ');
