const DOCUMENT =
  /^\s*(?:(?:query|mutation|subscription|fragment)\b[^{}]{0,2000}\{|\{\s{0,20}[A-Za-z_]\w{0,60}\s{0,5}(?:[({@:}]|\s[A-Za-z_]))/;
const STRING = /"((?:[^"\\\n]|\\.){1,2000})"/g;
const STRINGS_MAX = 50;

/** Whether a text is a document of GraphQL, whose names begin with a dollar sign and whose braces are no template. */
export const isGraphQl = (text: string): boolean => DOCUMENT.test(text);

const QUERY =
  /"query"\s{0,5}:\s{0,5}"(?=(?:\\[nrt]|\s)*(?:query|mutation|subscription|fragment|\{))(?:[^"\\]|\\.)*"/;

/** A JSON document without its query in GraphQL, in which a dollar sign begins a variable and no operator. */
export const withoutGraphQl = (document: string): string =>
  document.includes('"query"') ? document.replace(QUERY, '""') : document;

/** What takes a secret, asked for under several names at once, so that one request makes many guesses. */
const GUESS =
  /\b\w{1,30}\s{0,3}:\s{0,3}(?:log_?in|sign_?in|authenticate|verify\w{0,20}|check\w{0,20}|reset_?password|redeem\w{0,20}|token\w{0,10})\s{0,3}\(/gi;
const GUESSES_MIN = 5;
/** Directives without end. */
const ENDLESS = /(?:@\w{1,30}\s{0,2}){10}/;

/** Whether one query in GraphQL does the work of many requests. */
export const isFlood = (document: string): boolean =>
  (document.match(GUESS)?.length ?? 0) >= GUESSES_MIN || ENDLESS.test(document);

/** What XML-RPC takes many of in one call (`system.multicall`), each with a name and a password. */
const LOGIN_CALL =
  /<(?:value|string)>\s{0,20}(?:<string>)?\s{0,20}(?:wp|blogger|metaWeblog|mt)\.\w{3,40}\s{0,20}</g;
const LOGIN_CALLS_MIN = 3;

/** Whether a call of XML-RPC makes several others that each take a password. */
export const isManyLogins = (document: string): boolean =>
  document.includes('system.multicall') && (document.match(LOGIN_CALL)?.length ?? 0) >= LOGIN_CALLS_MIN;

/** The texts that a document of GraphQL hands to the fields that it asks for. */
export function textsIn(document: string): readonly string[] {
  const texts: string[] = [];
  for (const [, text = ''] of document.matchAll(STRING)) {
    if (texts.push(text.replace(/\\(.)/g, '$1')) >= STRINGS_MAX) break;
  }
  return texts;
}
